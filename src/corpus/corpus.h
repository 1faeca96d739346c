/*
 * corpus.h - documents out of files of any kind, one after the other.
 *
 * WARC and JSON lines (plain, .gz or .zst), text and HTML files, folders of
 * them, and the standard input.  What a file is, is told by its first bytes and
 * its name; a file that is nothing of these (a picture, a program, a style sheet) is
 * passed over and counted.  Of the folder of a crawl only archive/ is read.  A broken
 * record is reported and passed over; the next call goes on behind it.  The order is that
 * of the arguments; in folders by name.
 *
 * corpus_next() does all at once.  Who has several threads lets one call
 * corpus_read() and the others corpus_parse(), which touches nothing but its
 * arguments: parsing is most of the work.  Of a WARC.gz or .zst even inflating can be
 * left to them, with corpus_take_part().
 */
#ifndef CORPUS_CORPUS_H
#define CORPUS_CORPUS_H

#include "base/option.h"
#include "corpus/jsonl.h"
#include "os/file.h"
#include "warc/warc_read.h"

enum corpus_format {
	CORPUS_AUTO,
	CORPUS_WARC,
	CORPUS_JSONL,
	CORPUS_TEXT,
	CORPUS_HTML,
};

/* The name of the standard input in the spool folder, once all of it is there. */
#define CORPUS_SPOOL "stdin"

#define CORPUS_FORMATS "auto|warc|jsonl|text|html"

struct corpus_options {
	enum corpus_format format;
	struct str text_field;  /* of JSON lines; empty: "text" */
	struct str name_field;  /* empty: "url", else "id" */
	struct str score_field; /* empty: "score" */
	bool html;              /* that field holds HTML */
	bool whole_page;        /* of HTML all text, not the main content only */
	/* Of HTML, what some features need besides the text. */
	bool links, anchors, metadata, tag_paths, controls, windows;
	bool tags_only;        /* the paths without classes */
	const char *spool_dir; /* where standard input goes */
	bool spooled;          /* it is there already, from an earlier reading */
	uint64_t part_bytes;   /* of corpus_take_part(), at least; 0: 128 KiB */
};

struct corpus_doc {
	struct str name;     /* URL or id; else file, and line or offset */
	struct str text;     /* what is compared */
	struct str language; /* "en"; empty when unknown */
	struct str raw;      /* the line of a JSONL file; otherwise empty */
	double score;
	bool is_canonical; /* the page names its own URL as canonical */
	const struct str *links;
	size_t n_links;
	const struct str *anchors; /* texts of links */
	size_t n_anchors;
	const struct str *metadata; /* "name=value" */
	size_t n_metadata;
	const uint64_t *tag_paths;
	size_t n_tag_paths;
	const uint64_t *controls; /* hashes of what can be clicked or filled in */
	size_t n_controls;
	const struct str *windows; /* three per link: before, its text, after */
	size_t n_windows;
};

#define CORPUS_NO_OFFSET UINT64_MAX

/* A record as it stands in its file, not yet looked into. */
struct corpus_raw {
	enum corpus_format format;
	struct str bytes; /* a line, the block of a WARC record, a whole file */
	struct str file;  /* where it stands */
	size_t file_nr;
	uint64_t place;  /* line, or offset */
	uint64_t offset; /* of a line that stands in the file as it is given here */
	struct str name; /* where it is known before parsing */
	struct str type; /* the content type of a WARC record that is no HTTP answer */
};

/* What parsing needs; one a thread.  Zeroed is ready. */
struct corpus_work {
	struct arena page;
	struct buf scratch, body, text, name;
};

/* The records of a WARC file, or of some members of one; see warc_doc.h. */
struct warc_docs {
	struct warc_reader reader;
	struct str file;        /* for names and messages */
	uint64_t base;          /* where in the file the reader's bytes begin */
	struct buf block, name; /* of the record given out last */
};

/*
 * Members of a WARC.gz or .zst, still compressed, between two places where records begin,
 * by all that can be told without inflating.  That is a guess: a stored page may
 * hold a WARC.gz itself.  It was right when somebody arrived at `start` and
 * warc_docs_next() came to the end of the part without a complaint.
 */
struct corpus_part {
	struct str bytes; /* borrowed until the next call */
	struct str file;
	size_t file_nr;
	uint64_t start, end; /* in the file */
};

struct corpus {
	struct corpus_options options;
	struct arena names; /* paths */
	struct str_list files;
	struct str_list shown; /* what people know them by: mostly the same */
	struct str_list named; /* those of the files that the words name */
	size_t at;             /* the file being read; files.n at the end */
	bool open;
	enum corpus_format format; /* of it */
	struct map_file map;
	struct decoder decoder;
	struct str view; /* of JSONL: decoded and not yet read */
	struct buf line; /* of JSONL: a line that came in pieces */
	bool ended;
	uint64_t line_nr;
	struct warc_docs warc;
	uint64_t no_part_before; /* up to here it is to be read record by record */
	struct buf whole;        /* a file */
	struct corpus_work work;
	uint64_t bytes_before, total_bytes; /* in files: done, and all */
	uint64_t packed_bytes;              /* of them in files named .gz or .zst */
	size_t n_binary;                    /* files passed over: no documents */
	size_t n_named_binary;              /* of them those that the words name */
	struct str first_binary;
	enum status pending; /* what corpus_take_part() met, for corpus_read() to tell */
	struct diag pending_why;
};

/* `words` are files, folders, or "-".  ST_NOT_FOUND names the first missing one. */
must_use enum status corpus_open(struct corpus *c, const struct str *words, size_t n,
				 const struct corpus_options *options, struct diag *why);
void corpus_release(struct corpus *c);
void corpus_work_release(struct corpus_work *w);
/*
 * ST_AGAIN at the end.  ST_SYNTAX, ST_CORRUPT or ST_TOO_LARGE: a record is
 * broken; `why` says where; go on calling.  Other failures are final.
 * `ret` lives until the next call.
 */
must_use enum status corpus_next(struct corpus *c, struct corpus_doc *ret,
				 struct diag *why);
/* The two halves of it.  A record lives until the next corpus_read(). */
must_use enum status corpus_read(struct corpus *c, struct corpus_raw *ret,
				 struct diag *why);
/* ST_NOT_FOUND: it is no document.  Strings live as long as `raw` and `work`. */
must_use enum status corpus_parse(const struct corpus_options *options,
				  const struct corpus_raw *raw, struct corpus_work *work,
				  struct corpus_doc *ret, struct diag *why);
/*
 * The next part of a compressed WARC.  False when there is none here, and what comes next
 * is for corpus_read(); that goes on where the last part was believed to end, so first
 * call corpus_go_to() with the place where its records really ended.
 */
bool corpus_take_part(struct corpus *c, struct corpus_part *ret);
void corpus_go_to(struct corpus *c, size_t file_nr, uint64_t place);
/* Bytes of the files read so far. */
uint64_t corpus_bytes_done(const struct corpus *c);
/* What these bytes are, with their file's name.  CORPUS_AUTO: no documents at all. */
enum corpus_format corpus_detect(struct str first_bytes, struct str file_name);
#endif
