# Sourced when a mail server is set up whose smarthost is the port 2525 of the loopback, or that has none, and which delivers to the account `desk`:
# sends three e-mails that are refused there, and leaves what comes back in /out/bounces.
perl /programs/mail/names.pl &
perl /programs/mail/refuser.pl 127.0.0.1:2525 &
perl /programs/mail/refuser.pl 127.0.0.9:25 &
perl -MIO::Socket::INET -e 'sleep 1 until IO::Socket::INET->new("127.0.0.1:2525")'
sendmail=${sendmail:-/usr/sbin/sendmail}
for name in gone full blocked; do
  printf 'From: Garage <desk@mail.motors.example>\nTo: %s@else.example\nSubject: Your booking %s\nMIME-Version: 1.0\n\nSee you tomorrow.\n' $name $name |
    "$sendmail" ${flags--f desk@mail.motors.example} $name@else.example
done
mailbox=${mailbox:-/var/mail/desk}
come() {
  if [ -d "$mailbox" ]; then ls "$mailbox" | wc -l; else cat "$mailbox" 2> /dev/null | grep -c '^From '; fi
}
waited=0
while [ "$(come)" -lt 3 ] && [ $waited -lt 90 ]; do
  sleep 1
  waited=$((waited + 1))
  ${again:-true} > /dev/null 2>&1
done
if [ -d "$mailbox" ]; then for file in "$mailbox"/[0-9]*; do printf 'From x\n'; cat "$file"; echo; done > /out/bounces; else cp "$mailbox" /out/bounces; fi
