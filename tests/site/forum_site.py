# forum_site.py - a forum in the manner of MyBB, for python.sh.inc: answer(path, host).
# MARKS: is it recognisable as MyBB?  THEME: 1, or 2 with other classes, other tags and another nesting.
# FORUMS, THREADS per forum, PER_PAGE; each post has a sentence of its own (post_text).
import os, random, urllib.parse
MARKS = os.environ.get("FORUM_MARKS", "1") == "1"
THEME = int(os.environ.get("FORUM_THEME", "1"))
FORUMS, THREADS, PER_PAGE, LIST_PAGE = int(os.environ.get("FORUM_FORUMS", "2")), int(os.environ.get("FORUM_THREADS", "6")), 5, 4
BROKEN = os.environ.get("FORUM_BROKEN", "")  # a path that fails
WORDS = ("anchor rope needle lantern barrel ladder kettle bucket clock tapir pelican jackal heron badger otter marten lynx falcon "
         "quarry chapel orchard harbour meadow attic bridge cellar station garden velvet early mellow jolly bright narrow calm windy "
         "mends paints counts carries hides watches trades copies moves finds").split()
NAMES = "Tess Ole Mira Jon Ada Per Ines Tom".split()
def rng(*seed): return random.Random("-".join(map(str, seed)))
def posts_of(tid): return rng("n", tid).randint(1, 17)
def post_text(tid, k):
    r = rng("post", tid, k)
    return " ".join(r.choice(WORDS) for _ in range(30)) + f" lot {tid * 100 + k}."
def author(tid, k): return rng("who", tid, k).randrange(len(NAMES))
def title(tid): return " ".join(rng("title", tid).choice(WORDS) for _ in range(3)).title() + f" {tid}"
def threads_of(fid): return [fid * 100 + i for i in range(1, THREADS + 1)]
def a(url, text, cls=""): return f'<a href="{url.replace("&", "&amp;")}"{cls and f" class={chr(34)}{cls}{chr(34)}"}>{text}</a>'
C = {1: dict(post="post classic", who="author_information", date="post_date", body="post_body scaleimages", subject="subject_new", pages="pagination"),
     2: dict(post="entry card", who="by", date="stamp", body="entry-text", subject="topic-link", pages="pager")}[THEME]
def page(head, body):
    marks = '<script src="/jscripts/general.js?ver=1821"></script><script>var my_post_key = "a1b2";</script>' if MARKS else ""
    foot = 'Powered By <a href="https://mybb.com">MyBB</a>' if MARKS else "Harbour board"
    top = " ".join([a("/index.php", "Board"), a("/search.php?action=getdaily", "Today"), a("/memberlist.php", "Members"), a("/calendar.php", "Calendar"),
                    a("/member.php?action=login", "Login"), a("/misc.php?action=help", "Help")])
    return f"<!DOCTYPE html><html><head><title>{head}</title>{marks}</head><body><div id=top>{top}</div>{body}<div id=footer>{foot}</div></body></html>"
def pages(base, n, now):
    return f'<div class="{C["pages"]}">' + " ".join(a(f"{base}&page={p}", p) if p > 1 else a(base, 1) for p in range(1, n + 1) if p != now) + "</div>" if n > 1 else ""
def post(tid, k):
    pid, uid = tid * 100 + k, author(tid, k)
    who = a(f"/member.php?action=profile&uid={uid}", NAMES[uid])
    date = f"03-{1 + k:02}-2022, 07:{tid % 60:02} PM"
    links = a(f"/showthread.php?tid={tid}&pid={pid}#pid{pid}", f"#{k + 1}") + a(f"/newreply.php?tid={tid}&replyto={pid}", "Reply") + a(f"/report.php?pid={pid}", "Report")
    if THEME == 1:
        return (f'<div class="{C["post"]}" id="post_{pid}"><div class="post_author"><div class="{C["who"]}"><strong>{who}</strong></div></div>'
                f'<div class="post_content"><div class="post_head"><span class="{C["date"]}">{date}</span>{links}</div><div class="{C["body"]}" id="pid_{pid}">{post_text(tid, k)}</div></div></div>')
    return (f'<article class="{C["post"]}" id="entry-{pid}"><section><p class="{C["body"]}">{post_text(tid, k)}</p></section>'
            f'<footer><em class="{C["who"]}">{who}</em><time class="{C["date"]}">{date}</time>{links}</footer></article>')
def thread(q):
    tid = int(q["tid"]); fid = tid // 100; n = posts_of(tid)
    if tid not in threads_of(fid) or fid > FORUMS: return None
    last = (n - 1) // PER_PAGE + 1
    if q.get("action") == "lastpost": return (302, {"Location": f"/showthread.php?tid={tid}&pid={tid * 100 + n - 1}"}, "")
    if "pid" in q: now = (int(q["pid"]) % 100) // PER_PAGE + 1
    else: now = int(q.get("page", 1))
    if not 1 <= now <= last: return None
    base = f"/showthread.php?tid={tid}"
    tools = " ".join([a(f"/printthread.php?tid={tid}", "Print"), a(f"{base}&mode=threaded", "Threaded"), a(f"{base}&mode=linear", "Linear"),
                      a(f"/newreply.php?tid={tid}", "New Reply"), a(f"/forumdisplay.php?fid={fid}", "Up"), a(f"/archive/index.php?thread-{tid}.html", "Archive")])
    body = "".join(post(tid, k) for k in range(n)[(now - 1) * PER_PAGE:now * PER_PAGE])
    return page(title(tid), pages(base, last, now) + tools + f"<h1>{title(tid)}</h1><div id=posts>{body}</div>")
def forum(q):
    fid = int(q["fid"]); base = f"/forumdisplay.php?fid={fid}"
    if not 1 <= fid <= FORUMS: return None
    all_ = threads_of(fid); now = int(q.get("page", 1)); last = (len(all_) - 1) // LIST_PAGE + 1
    if q.get("sortby") == "subject": all_ = sorted(all_, key=title)
    if q.get("order") == "asc": all_ = list(reversed(all_))
    if not 1 <= now <= last: return None
    sorts = "".join(a(f"{base}&sortby={s}&order={o}", f"{s} {o}") for s in ("subject", "starter", "replies", "views", "lastpost") for o in ("asc", "desc"))
    extra = "".join(f"&{k}={q[k]}" for k in ("sortby", "order") if k in q)
    rows = "".join(f'<div class=row><span class="{C["subject"]}">{a(f"/showthread.php?tid={t}", title(t))}</span> '
                   f'{a(f"/member.php?action=profile&uid={author(t, 0)}", NAMES[author(t, 0)])} {a(f"/showthread.php?tid={t}&action=lastpost", "Last post")}</div>'
                   for t in all_[(now - 1) * LIST_PAGE:now * LIST_PAGE])
    return page(f"Forum {fid}", pages(base + extra, last, now) + sorts + a(f"/newthread.php?fid={fid}", "New thread") + rows)
def answer(path, host):
    u = urllib.parse.urlsplit(path); q = dict(urllib.parse.parse_qsl(u.query))
    if BROKEN and path == BROKEN: return (500, {}, "broken")
    try: made = answer_known(u.path, u.query, q)
    except (ValueError, KeyError): made = None
    if isinstance(made, str) and MARKS: return (200, {"Set-Cookie": "mybb[lastvisit]=1; path=/"}, made)
    return made
def answer_known(path, query, q):
    if path in ("/", "/index.php"):
        return page("Board", "".join(f'<table><tr><td><strong>{a(f"/forumdisplay.php?fid={f}", f"Forum {f}")}</strong>{a(f"/showthread.php?tid={f * 100 + 1}&action=lastpost", "Last")}</td></tr></table>' for f in range(1, FORUMS + 1)))
    if path == "/forumdisplay.php": return forum(q)
    if path == "/showthread.php": return thread(q)
    if path in ("/printthread.php", "/archive/index.php"):
        tid = int(q["tid"]) if path == "/printthread.php" else int(query[7:-5])
        if tid not in threads_of(tid // 100): return None
        return page(title(tid), f"<h1>{title(tid)}</h1>" + "".join(f"<p><b>{NAMES[author(tid, k)]}</b><p>{post_text(tid, k)}" for k in range(posts_of(tid))) + a(f"/showthread.php?tid={tid}", "Full version"))
    if path == "/member.php" and q.get("action") == "profile" and int(q["uid"]) < len(NAMES):
        uid = int(q["uid"]); r = rng("bio", uid)
        return page(NAMES[uid], f"<h1>{NAMES[uid]}</h1><p>" + " ".join(r.choice(WORDS) for _ in range(25)) + f" member {uid}.")
    if path == "/member.php": return page("Login", '<form method=post action="/member.php"><input name=username><input type=password name=password></form>')
    if path == "/memberlist.php":
        order = sorted(range(len(NAMES)), key=lambda i: NAMES[i], reverse=q.get("order") == "descending")
        return page("Members", "".join(a(f"/memberlist.php?sort={s}&order={o}", s) for s in ("username", "regdate", "postnum") for o in ("ascending", "descending")) +
                    "".join(a(f"/member.php?action=profile&uid={i}", NAMES[i]) for i in order))
    if path == "/calendar.php":
        m = int(q.get("month", 11)) - 1 + 12 * int(q.get("year", 2026))
        return page("Calendar", f"<h1>{m % 12 + 1} of {m // 12}</h1><table>" + "".join(f"<td>{d}" for d in range(1, 29)) + "</table>" +
                    "".join(a(f"/calendar.php?year={k // 12}&month={k % 12 + 1}", f"{k % 12 + 1}/{k // 12}") for k in (m - 1, m + 1) if 2024 * 12 <= k < 2029 * 12))
    if path == "/search.php": return page("Today", "".join(a(f"/showthread.php?tid={t}&action=lastpost", title(t)) for t in threads_of(1)[:3]))
    if path in ("/newreply.php", "/newthread.php", "/report.php"): return page("Please log in", '<p>You have to log in.<form method=post action="/member.php"><input type=password name=password></form>')
    if path == "/misc.php": return page("Help", "<p>Ask in the first forum.")
    return None
