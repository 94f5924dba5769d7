# Runs a script of this folder with Node: run.sh SCRIPT [ARGUMENT...]. 77 says that it was skipped.
if ! command -v node >/dev/null; then
  echo "skipped: node is not installed"
  exit 77
fi
script=$(dirname "$0")/$1
shift
exec node "$script" "$@"
