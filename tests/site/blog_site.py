# Blogs of WordPress with its REST API; the name of the host says what is wrong with the API.
import json, urllib.parse
POSTS, PER_PAGE, COMMENTED, LINKED = 30, 5, 10, 4
def words(kind, i, n=120):
    return " ".join(f"{kind}{i}w{k}" for k in range(n))
def shell(base, title, body):
    return (f"<html><head><title>{title}</title><meta name='generator' content='WordPress 6.1'>"
            f"<link rel='https://api.w.org/' href='{base}/wp-json/'></head><body class='single-post'>{body}"
            f"<footer><a href='/'>home</a> <a href='/feed/'>feed</a></footer></body></html>")
def comments_of(i):
    return f"<p>{words('comment', i, 40)}</p>" if i <= COMMENTED else ""
def more(i):
    return f"<a href='/page-of/{i}/'>more</a>" if i <= LINKED else ""
def post_page(base, i, host):
    hidden = f"<p>{words('hidden', i)}</p>" if host == "half.test" else ""
    return shell(base, f"Post {i}", f"<article class='type-post'><h1 class='entry-title'>Post {i}</h1><div class='entry-content'>"
                 f"<p>{words('post', i)}</p>{more(i)}</div></article>{hidden}{comments_of(i)}")
def api(base, host, q):
    route, page = q.get("rest_route", [""])[0], int(q.get("page", ["1"])[0])
    def listed(all, per, pages=None):
        part = all[(page - 1) * per:page * per]
        return 200, {"Content-Type": "application/json", "X-WP-TotalPages": str(pages or -(-len(all) // per))}, json.dumps(part)
    if route == "/wp/v2/posts":
        return listed([{"id": i, "date_gmt": "2026-01-02T03:04:05", "modified_gmt": "2026-01-02T03:04:05", "link": f"{base}/post/{i}/", "author": 1,
            "title": {"rendered": f"Post {i}"}, "content": {"rendered": f"<p>{words('post', i)}</p>{more(i)}", "protected": False}}
            for i in range(1, POSTS + 1)], 12)
    if route == "/wp/v2/comments":
        if host == "closed.test":
            return 403, {"Content-Type": "application/json"}, '{"code":"rest_forbidden"}'
        return listed([{"id": 1000 + i, "post": i, "author_name": "Bob", "date_gmt": "2026-01-02T03:04:05", "link": f"{base}/post/{i}/#comment-{i}",
            "content": {"rendered": comments_of(i)}} for i in range(1, COMMENTED + 1)], 100)
    return listed([], 100, 0)
def answer(path, host):
    u = urllib.parse.urlsplit(path)
    q, base = urllib.parse.parse_qs(u.query), f"http://{host}"
    part = [p for p in u.path.split("/") if p]
    if u.path == "/robots.txt":
        return 200, {"Content-Type": "text/plain"}, "User-agent: *\nDisallow: " + ("/*rest_route\n" if host == "denied.test" else "\n")
    if "rest_route" in q:
        return api(base, host, q)
    if not part or part[0] == "page":
        n = int(part[1]) if part else 1
        last = -(-POSTS // PER_PAGE)
        return shell(base, "Blog", "".join(f"<p><a href='/post/{i}/'>Post {i}</a></p>" for i in range((n - 1) * PER_PAGE + 1, n * PER_PAGE + 1))
                     + (f"<a href='/page/{n + 1}/'>older</a>" if n < last else "")) if n <= last else None
    if part[0] == "post" and part[1].isdigit() and int(part[1]) <= POSTS:
        return post_page(base, int(part[1]), host)
    if part[0] == "page-of":
        return f"<p>{words('linked', part[1])}</p>"
    return None
