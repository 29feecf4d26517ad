#!/bin/sh
# Checks the configuration and the rules, and tries each rule (alerts.test.yml). It needs promtool 2.42 or newer, which comes with
# Prometheus: on Debian and Ubuntu `apt-get install prometheus`.
set -eu
cd "$(dirname "$0")"
if ! command -v promtool > /dev/null; then
  echo "promtool is not here: it comes with Prometheus (https://prometheus.io/download, or apt-get install prometheus)." >&2
  exit 2
fi
promtool check config prometheus.yml
promtool check rules alerts.yml
promtool test rules alerts.test.yml
