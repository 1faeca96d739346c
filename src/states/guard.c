#include "states/guard.h"

#include <string.h>

/* Whole words, several languages; compared without case. */
static const char *const logout_words[] = {
	"logout",
	"log out",
	"log off",
	"logoff",
	"sign out",
	"signout",
	"abmelden",
	"ausloggen",
	"deconnexion",
	"d\xc3\xa9"
	"connexion",
	"se d\xc3\xa9"
	"connecter",
	"cerrar sesi\xc3\xb3n",
	"cerrar sesion",
	"salir",
	"sair",
	"esci",
	"uitloggen",
};
static const char *const destroy_words[] = {
	"delete",        "remove",         "destroy",    "erase",         "purge",
	"wipe",          "drop",           "deactivate", "close account", "reset all",
	"factory reset", "l\xc3\xb6schen", "supprimer",  "eliminar",      "borrar",
	"excluir",       "apagar",         "elimina",    "verwijderen",
};
static const char *const pay_words[] = {
	"pay",         "pay now",   "buy",           "buy now", "purchase", "checkout",
	"place order", "order now", "subscribe now", "donate",  "bezahlen", "kaufen",
	"acheter",     "payer",     "comprar",       "pagar",
};
static const char *const unsubscribe_words[] = {
	"unsubscribe", "opt out", "opt-out", "abbestellen", "cancel subscription",
};

/* Harmless where they only show something; where they send, they take it away. */
static const char *const sending_words[] = {
	"clear",  "empty",     "discard", "revoke",   "terminate", "archive", "reset",
	"ban",    "disable",   "reject",  "cancel",   "withdraw",  "void",    "expire",
	"leeren", "verwerfen", "annuler", "cancelar", "annulla",
};

static bool is_word_byte(char c)
{
	return ascii_is_alpha(c) || ascii_is_digit(c) || (c & 0x80);
}

/* `word` stands in `text` with no letter before or behind it. */
static bool has_word(struct str text, struct str word)
{
	for (size_t i = 0; i + word.n <= text.n; i++)
		if (str_starts_nocase(str_skip(text, i), word) &&
		    (i == 0 || !is_word_byte(text.p[i - 1])) &&
		    (i + word.n == text.n || !is_word_byte(text.p[i + word.n])))
			return true;
	return false;
}

static bool says(const struct candidate *c, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct str w = str_from(words[i]);

		if (has_word(c->text, w) || has_word(c->id, w) || has_word(c->href, w) ||
		    has_word(c->action, w))
			return true;
	}
	return false;
}

static bool sends(const struct candidate *c)
{
	return str_eq(c->method, STR("post")) || str_eq(c->method, STR("put")) ||
	       str_eq(c->method, STR("patch"));
}

static const char *destructive(const struct candidate *c)
{
	if (str_eq(c->method, STR("delete")))
		return "it would ask with DELETE";
	if (sends(c) && says(c, sending_words, COUNT(sending_words)))
		return "it would send something that cannot be undone";
	if (says(c, logout_words, COUNT(logout_words)))
		return "it would log out";
	if (says(c, destroy_words, COUNT(destroy_words)))
		return "it would delete something";
	if (says(c, pay_words, COUNT(pay_words)))
		return "it would buy or pay";
	if (says(c, unsubscribe_words, COUNT(unsubscribe_words)))
		return "it would unsubscribe";
	return NULL;
}

/* The text of an element; selectors and XPaths were judged in the page. */
static bool has_text(const struct str_list *list, const struct candidate *c)
{
	for (size_t i = 0; i < list->n; i++)
		if (has_word(c->text, list->v[i]))
			return true;
	return false;
}

static const char *leads_away(const struct guard_options *g, const struct candidate *c)
{
	if (c->href.n == 0)
		return NULL;
	if (str_starts_nocase(c->href, STR("javascript:")) || c->href.p[0] == '#')
		return NULL;
	if (!str_starts_nocase(c->href, STR("http")) &&
	    !str_starts_nocase(c->href, STR("file:")))
		return "it is no web page";
	/* A link in a frame of another origin stays in the frame. */
	struct str rest = c->href, origin = c->origin.n ? c->origin : g->origin;
	if (origin.n == 0)
		return NULL;
	if (!str_take_prefix(&rest, origin) || (rest.n && !strchr("/?#", rest.p[0])))
		return "it leads to another site";
	return NULL;
}

const char *guard_refuses(const struct guard_options *g, const struct candidate *c)
{
	if (g->include.n && !c->included && !has_text(&g->include, c))
		return "it is not included";
	if (c->excluded || has_text(&g->exclude, c))
		return "it is excluded";
	const char *why = leads_away(g, c);
	if (why)
		return why;
	return g->allow_destructive ? NULL : destructive(c);
}
