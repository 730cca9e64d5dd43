#!/bin/sh
# Files of platforms and maps, from the program's side: the examples in docs/FORMATS.md are accepted, a map decides at which
# level ranks communicate, and a file that does not fit is refused. test_platform and test_mapping have the details.
root=$(realpath "$(dirname "$0")/..")
. "$(dirname "$0")/tap.sh"
serve

example() { # example TITLE: prints the indented lines of a section of the page
    sed -n "/^## $1\$/,/^## /s/^    //p" "$root/docs/FORMATS.md"
}
B="run bcast linear -p 4 -m 0 --model hockney"

# ---- The examples ---------------------------------------------------------------------------------------------------------
example "Platform files" >page.ini
example "Map files" >page.map
ok "the page's platform" gives "4.8 us" $B --platform ./page.ini --map cyclic:1 --set nic.messages=none --set nic.rate=none
ok "the page's map" gives "2 nodes of 2 ranks, map page.map" $B --platform ./page.ini --map page.map
ok "the page's --set" gives "alpha.node=1us" $B --platform ./page.ini --map page.map --set alpha.node=1us --set nic.rate=none

# ---- Levels ---------------------------------------------------------------------------------------------------------------
# Rank 0 sends to 1, 2 and 3. A socket costs 1 us, a node 10 us, a group 100 us, and 1 ms lies beyond.
cat >m.ini <<'END'
[levels]
socket = 2 ranks
node = 2 sockets
group = 2 nodes
[hockney]
alpha.socket = 1us
alpha.socket.source = x
alpha.node = 10us
alpha.node.source = x
alpha.group = 100us
alpha.group.source = x
alpha.far = 1ms
alpha.far.source = x
beta = 0
beta.source = x
gamma = 0
gamma.source = x
END
# costs CERTIFICATE NODE...: where the ranks' lines are NODE.., the certificate of a linear bcast is CERTIFICATE.
costs() {
    certificate=$1
    shift
    printf '%s\n' "$@" >map
    c $B --platform ./m.ini --map map -f csv && says out ",$certificate,"
}
ok "nodes" costs "1 alpha.node + 1 alpha.group + 1 alpha.far" 0.0 0.1 1.0 2.0
ok "ranks fill sockets in their order" costs "1 alpha.socket + 2 alpha.node" 0 0 0 0
ok "also if they are not neighbours" costs "1 alpha.socket + 2 alpha.group" 0 1 1 0
ok "sockets" costs "2 alpha.socket + 1 alpha.node" 0.1 0.1 0.0 0.1
ok "a crowded socket" costs "3 alpha.socket" 0.1 0.1 0.1 0.1
ok "groups are by the number of the node" costs "1 alpha.group + 2 alpha.far" 1 0 2 3
printf '0\n0\n0\n1\n' >map
ok "--map -" sh -c '"$0" run bcast linear -p 4 -m 0 --platform ./m.ini --map - -f csv <map >out && grep -q ",1 alpha.socket + 1 alpha.node + 1 alpha.group," out' "$COLLSIM"

# ---- Files that do not fit ------------------------------------------------------------------------------------------------
ok "too few ranks" fails "the file of --map has 4 ranks; allowed: 5, one line for each rank" run bcast linear -p 5 -m 0 --map map
ok "too many ranks" fails "map:4: the file has too many ranks; allowed: one line for each rank" run bcast linear -p 2,3 -m 0 --map map
printf '0\n2\n0\n2\n' >map
ok "a gap" fails "map:2: node 2, but no rank is on node 1; allowed: nodes from 0 without gaps" $B --map map
printf '0.0\n0.1\n0.2\n0.3\n' >map
ok "a unit that is not there" fails "map:3: 0.2: a node has 2 sockets; allowed: 0 to 1" $B --map map --platform ./m.ini
ok "a machine without sockets" fails "map:1: 0.0, but the platform has no level inside a node; allowed: the node alone" $B --map map
printf '0\n1\nx\n0\n' >map
ok "not a number" fails "map:3: 'x' is not a node; allowed: the number of a node" $B --map map
ok "no file" fails "--map 'none' is neither a mapping nor a readable file; allowed: block:K, cyclic:K, or a file" $B --map none
ok "a misspelled word" fails "did you mean cyclic:K? allowed:" $B --map cylic:4
ok "K is 0" fails "--map: 'block:0' has no valid number of ranks per node" $B --map block:0
ok "the process that answered ends well" served_well
echo "1..$n"
