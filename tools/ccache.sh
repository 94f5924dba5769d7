#!/bin/sh
# Runs a compiler through ccache: tools/ccache.sh CCACHE COMPILER ARGUMENTS... Precompiled headers are compiled directly,
# since ccache would look them up by the precompiled header that they replace, whatever the headers contain now.
ccache=$1
shift
case " $* " in
  *" c++-header "* | *" -emit-pch "*) exec "$@" ;;
esac
CCACHE_SLOPPINESS=pch_defines,time_macros exec "$ccache" "$@"
