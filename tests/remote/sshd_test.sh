#!/usr/bin/env bash
# A worker behind a real sshd: its own configuration, port and keys, all in the test's folder.
. "$(dirname "$0")/common.sh" "$@"
need sshd openssh-server
need ssh openssh-client
need ssh-keygen openssh-client

# sshd started by root insists on this folder; its package's service makes it.
if [ "$(id -u)" -eq 0 ]; then mkdir -p -m 0755 /run/sshd; fi
port=$(free_port)
cd "$folder" || exit 1
ssh-keygen -q -t ed25519 -N '' -f host_key
ssh-keygen -q -t ed25519 -N '' -f user_key
ssh-keygen -q -t ed25519 -N '' -f other_key
cat >sshd_config <<END
Port $port
ListenAddress 127.0.0.1
HostKey $folder/host_key
AuthorizedKeysFile $folder/user_key.pub
PidFile $folder/sshd.pid
UsePAM no
StrictModes no
PasswordAuthentication yes
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
END
"$(command -v sshd)" -t -f sshd_config || skip "this sshd does not take the test's configuration"
"$(command -v sshd)" -D -e -f "$folder/sshd_config" 2>sshd.log &
daemons+=($!)
printf '[127.0.0.1]:%s %s\n' "$port" "$(cut -d' ' -f1,2 host_key.pub)" >known_hosts
cat >ssh_config <<END
Host gpu gpu-of-others gpu-unknown gpu-down
  HostName 127.0.0.1
  Port $port
  User $(id -un)
  IdentityFile $folder/user_key
  IdentitiesOnly yes
  IdentityAgent none
  UserKnownHostsFile $folder/known_hosts
  LogLevel ERROR
END
wait_for 20 ssh -F ssh_config gpu true || { cat sshd.log; echo "sshd does not let us in"; exit 1; }
sed 's/user_key/other_key/' ssh_config >ssh_config_other
sed "s/known_hosts/no_known_hosts/" ssh_config >ssh_config_unknown
sed "s/Port .*/Port $(free_port)/" ssh_config >ssh_config_down
far="env WARPSHOP_DATA=$WARPSHOP_DATA WARPSHOP_LIBNVML=none.so $fake_worker"

# check NAME STATUS CONFIG REMOTE_COMMAND [TEXT]...
check() {
  local name=$1 wanted=$2 config=$3 command=$4
  shift 4
  "$program" check fixture/scale --solution --worker "ssh -F $folder/$config gpu '$command'" \
    >out 2>&1
  status=$?
  expect "$name" "$wanted" out "$@"
}

check "a worker at the other end of ssh" 0 ssh_config "$far" \
  "Measured on Fake GPU" "✓ Result correct on the GPU" "10.00 µs"
check "a key that is not let in" 3 ssh_config_other "$far" \
  "Permission denied" "log in with a key: ssh-copy-id" "passed: all checks of fixture/scale pass"
check "a host that asks for a password" 3 ssh_config_other "$far" \
  "password" "Permission denied" "log in with a key: ssh-copy-id"
check "a host that is not known" 3 ssh_config_unknown "$far" \
  "Host key verification failed" "log in once by hand"
check "a host that is down" 3 ssh_config_down "$far" "Connection refused" "running sshd?"
check "no Warpshop there" 3 ssh_config "warpshop-that-is-not-there worker" \
  "not found" "install Warpshop there"
check "a login script that talks" 3 ssh_config "echo Welcome to node 7; exec $far" \
  "Welcome to node 7" "may write to standard output"

# The connection breaks in the middle of the first job: it is said, made again, and all is there.
cat >first_hello <<END
#!/bin/sh
# Says hello like the worker, then takes the job and dies with the connection.
if mkdir '$folder/broken' 2>/dev/null; then
  echo quit | $far | head -n 1
  read -r job
  kill -9 \$PPID
  sleep 60
fi
exec $far
END
check "a connection that breaks in a job is said and made again" 0 ssh_config \
  "sh $folder/first_hello" "tried again" "Measured on Fake GPU" "✓ Result correct on the GPU"

# It never comes back: what the first size gave stays, and the message says what happened.
cat >only_first <<END
#!/bin/sh
# The worker's first answer goes through, then nothing more.
$far | {
  while IFS= read -r line; do
    printf '%s\n' "\$line"
    case \$line in *'"type":"result"'*) break ;; esac
  done
  sleep 1  # sshd has sent it
  kill -9 \$PPID
}
END
cat >never_again <<END
#!/bin/sh
if mkdir '$folder/once' 2>/dev/null; then exec sh '$folder/only_first'; fi
exit 255
END
"$program" check fixture/scale --solution --json \
  --worker "ssh -F $folder/ssh_config gpu 'sh $folder/never_again'" >out 2>&1
status=$?
expect "a connection that is gone for good" 3 out '"kind": "gpu-lost"'
python3 - out <<'END' || { failures=$((failures + 1)); cat out; }
import json, sys
run = json.load(open(sys.argv[1]))["runs"][0]
first, second = run["sizes"]
assert first["measured"]["correct"], "the first size's result stays"
assert "measured" not in second
assert run["passed"] is True, "the emulator's verdict stands"
print("ok: results that were received stay")
END
exit $((failures > 0))
