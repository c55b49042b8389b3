#!/bin/sh
# libphonenumber-js 1.13.16 takes some invisible characters within a phone for spaces, and refuses
# a number for others: U+200B, U+2060 and U+00AD are read over, U+202A to U+202E, U+2066 to U+2069, U+200E, U+200F, U+FE0D and U+FEFF are
# not, though contact cards and chats put the latter around a number that is copied. One would have guessed all, or none.
#
# Needs Node and npm. Its folder is temporary.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts libphonenumber-js@1.13.16 >npm 2>&1 || { cat npm; exit 1; }
cat >marks.cjs <<'JS'
const { parsePhoneNumberFromString } = require('libphonenumber-js/max');
const { version } = require('libphonenumber-js/package.json');
const marks = ['200B', '2060', '00AD', '202A', '202C', '2066', '2069', '200E', '200F', 'FE0D', 'FEFF'];
const isRead = (mark) =>
  parsePhoneNumberFromString(`0491 570${String.fromCodePoint(parseInt(mark, 16))} 006`, {
    defaultCountry: 'AU',
    extract: false,
  })?.number === '+61491570006';
console.log(`libphonenumber-js ${version}`);
console.log(`read: ${marks.filter(isRead).join(' ')}`);
console.log(`refused: ${marks.filter((mark) => !isRead(mark)).join(' ')}`);
JS
node marks.cjs | tee said
grep -qx 'read: 200B 2060 00AD' said
grep -qx 'refused: 202A 202C 2066 2069 200E 200F FE0D FEFF' said
echo 'As found: it reads over some marks that nobody sees, and refuses a number for others.'
