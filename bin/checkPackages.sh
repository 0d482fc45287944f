#!/usr/bin/env bash
# Builds the packages as a release does, checks them, and publishes nothing. A release runs `npm publish` in the same folders,
# whose package.json asks for provenance.
set -euo pipefail
cd "$(dirname "$0")/.."
for folder in sdk/typescript sdk/cli; do
  (cd "$folder" && npm publish --dry-run)
done
work=$(mktemp -d)
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet build twine mypy httpx
"$work/venv/bin/python" -m build --outdir "$work/dist" sdk/python
"$work/venv/bin/twine" check --strict "$work"/dist/*
"$work/venv/bin/mypy" --config-file sdk/python/pyproject.toml sdk/python/src
git diff --exit-code
test -z "$(git status --porcelain)"
