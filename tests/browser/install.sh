#!/usr/bin/env bash
# What the browser tests need: Debian's Chromium with its driver, and axe-core. Run as root; quick where all is there.
set -euo pipefail
cd "$(dirname "$0")"

if ! command -v chromium >/dev/null || ! command -v chromedriver >/dev/null; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
        chromium chromium-driver fonts-dejavu-core >/dev/null
fi

axe=node_modules/axe-core/axe.min.js
if [ ! -f "$axe" ]; then
    command -v npm >/dev/null ||
        DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends npm >/dev/null
    npm install --silent --no-save --no-package-lock --no-audit --no-fund --prefix . axe-core@4
fi
echo "browser tests: chromium, chromedriver and $axe are there"
