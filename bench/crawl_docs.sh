#!/usr/bin/env bash
# bench/crawl_docs.sh THRESH [DIR] - crawl the HTML documentation of eleven Debian packages (60,000
# pages) served by nginx, and compare what was fetched with the pages that another link extractor
# reaches.  DIR keeps the packages for the next time.
set -eu
thresh=$(realpath "$1") dir=${2:-$(mktemp -d "${TMPDIR:-/tmp}/thresh-docs.XXXXXX")}
here=$(dirname "$(realpath "$0")")
packages="cppreference-doc-en-html erlang-doc libboost1.74-doc libgtk-3-doc linux-doc-6.1 openjdk-17-doc
postgresql-doc-15 python-django-doc python3.11-doc qtbase5-doc-html rust-doc"
mkdir -p "$dir/packages"
cd "$dir"
if [ ! -d site ]; then
	(cd packages && apt-get download -q $packages)
	for package in packages/*.deb; do dpkg -x "$package" unpacked; done
	mv unpacked/usr/share site
	python3 "$here/link_closure.py" contents site
fi
cat >nginx.conf <<CONF
worker_processes 1; pid $dir/nginx.pid; error_log $dir/nginx.err;
events { worker_connections 1024; }
http { access_log off; keepalive_requests 100000000; sendfile on; include /etc/nginx/mime.types;
  server { listen 127.0.0.1:8398; root $dir/site; } }
CONF
nginx -c "$dir/nginx.conf" -p "$dir"
trap 'kill $(cat "$dir/nginx.pid") 2>/dev/null' EXIT
url=http://127.0.0.1:8398
rm -rf crawl
/usr/bin/time -o time.txt -f '%e s, %U s user, %S s system, %M kB' "$thresh" crawl $url/ -o crawl -q \
	--delay 0 --delay-factor 0 --domain-delay 0 --address-delay 0 --per-host 16 --per-domain 16 --per-address 16 || true
cat time.txt
"$thresh" status crawl
[ -s reachable.txt ] || python3 "$here/link_closure.py" reachable site $url >reachable.txt
python3 "$here/link_closure.py" compare reachable.txt crawl/crawl.log
