#!/bin/sh
# Runs an engine as a child process and ends it when standard input closes. The operating system closes it whenever the
# parent ends, even by SIGKILL. A shell takes 3 MB of memory; Node takes 60.
# Usage: supervisor.sh PID_FILE PROGRAM ARGUMENT…

pid_file=$1
shift
# A background command otherwise reads from /dev/null.
exec 3<&0
"$@" 3<&- </dev/null &
engine=$!
echo "$engine" >"$pid_file"

end_engine() {
  kill -TERM "$engine" 2>/dev/null
  # Two seconds to stop. Then the engine is killed.
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    kill -0 "$engine" 2>/dev/null || return
    sleep 0.1
  done
  kill -KILL "$engine" 2>/dev/null
}

# The parent writes nothing, so the read ends when it has gone.
(while read -r _; do :; done <&3; end_engine) >/dev/null 2>&1 &
watcher=$!
# In the background, because only the wait below notices that the engine has ended.
trap 'end_engine &' TERM

code=1
# A signal interrupts a wait.
while kill -0 "$engine" 2>/dev/null; do
  wait "$engine"
  code=$?
done
rm -f "$pid_file"
kill "$watcher" 2>/dev/null
exit "$code"
