#!/bin/sh
# What an admin does with the Debian package: `service.sh PACKAGE` installs it, starts what the unit starts, as its user
# and from its folder, uses a command, removes it, and purges it. debian.test.ts runs it on a copy of the system.
set -eu

dpkg --force-depends --install "$1"
test "$(stat -c '%U %G %a' /etc/rookery /var/lib/rookery | sort -u)" = "rookery rookery 750"
test "$(cat /etc/rookery/.env)" = "DATA_DIR=/var/lib/rookery"
test "$(stat -c '%U %a' /etc/rookery/.env)" = "rookery 600"
(cd / && dpkg --verify rookery)

rookery setup --yes --no-checks --domain localhost:3000
grep -q '^LOCAL_DOMAIN=localhost:3000$' /etc/rookery/.env

unit=/usr/lib/systemd/system/rookery.service
value() { sed -n "s/^$1=//p" $unit; }
cd "$(value WorkingDirectory)"
# shellcheck disable=SC2046
setpriv --reuid="$(value User)" --regid="$(value Group)" --clear-groups \
  env -i PATH=/usr/bin:/bin $(value Environment) $(value ExecStart) >/tmp/log 2>&1 &
server=$!
node=/usr/lib/rookery/node_modules/.bin/node
asked=0
until $node -e 'fetch("http://localhost:3000/readyz").then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))'; do
  asked=$((asked + 1))
  [ $asked -lt 300 ] || { cat /tmp/log; exit 1; }
  sleep 0.2
done
cd /
rookery accounts create alice --email alice@example.com --confirmed --role Owner
kill -TERM $server
wait $server
test -n "$(ls /var/cache/rookery)"

dpkg --remove rookery
test -d /var/lib/rookery/postgres
test -s /etc/rookery/.env
test ! -e /usr/lib/rookery
dpkg --force-depends --install "$1"
grep -q '^LOCAL_DOMAIN=localhost:3000$' /etc/rookery/.env
dpkg --purge rookery
test ! -e /var/lib/rookery
test ! -e /etc/rookery
test ! -e /var/cache/rookery
! getent passwd rookery
