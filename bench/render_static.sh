#!/usr/bin/env bash
# render_static.sh THRESH [DIR] [N] - the documentation of ten Debian packages, each as a site of its own: how many of N pages (all) are rendered with
# --browser auto, and what that costs beside never.  DIR keeps the packages for the next time; PORT is nginx's.
set -eu
thresh=$(realpath "$1") dir=${2:-$(mktemp -d "${TMPDIR:-/tmp}/thresh-static.XXXXXX")} most=${3:-1000000} port=${PORT:-8399}
packages="debian-policy developers-reference erlang-doc git-doc libgtk-3-doc nodejs-doc postgresql-doc-15 python-django-doc python3.11-doc sqlite3-doc"
mkdir -p "$dir/packages" "$dir/site"
cd "$dir"
ls packages/*.deb >/dev/null 2>&1 || (cd packages && apt-get download -q $packages)
for package in packages/*.deb; do
	name=$(basename "$package"); name=${name%%_*}; name=${name%%.*}
	[ -d "site/$name" ] && continue
	dpkg -x "$package" "site/$name.part"
	mkdir "site/$name" && mv "site/$name.part/usr/share" "site/$name/share" && rm -rf "site/$name.part"
	# Seeds of the crawl: every index, and every folder's first page where it has none.
	(cd "site/$name" && find share -name 'index.html' -o -name '*.html' -path '*/html/*' | sort | awk 'NR <= 400 { print "<a href=\"/" $0 "\">" $0 "</a>" }' >index.html)
done
seeds=(); for site in site/*; do seeds+=("http://$(basename "$site").example/"); done
cat >nginx.conf <<CONF
worker_processes 1; pid $dir/nginx.pid; error_log $dir/nginx.err;
events { worker_connections 1024; }
http { access_log off; keepalive_requests 100000000; sendfile on; include /etc/nginx/mime.types;
  server { listen 127.0.0.1:$port; server_name ~^(?<name>[a-z0-9-]+)\.example$; root $dir/site/\$name; } }
CONF
nginx -c "$dir/nginx.conf" -p "$dir"
trap 'kill $(cat "$dir/nginx.pid") 2>/dev/null' EXIT
for when in never auto never auto; do
	rm -rf crawl
	# User and system time of the crawl and of its browsers.
	/usr/bin/time -o time.txt -f "%e s, %U s user, %S s system" "$thresh" crawl "${seeds[@]}" -o crawl -q -n "$most" --browser $when --connect-to 127.0.0.1:$port \
		--delay 0 --delay-factor 0 --domain-delay 0 --address-delay 0 --per-host 4 --retries 0 2>said.txt || true
	echo "--browser $when: $(grep -c ' text/html ' crawl/crawl.log) HTML pages, $(grep -c 'rendered:' crawl/crawl.log || true) rendered, $(cat time.txt)"
done
