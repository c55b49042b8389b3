. /programs/mail/answerer.sh
{ echo 'From noreply@pitlane.example Wed Apr  4 15:59:00 2029'; cat /out/in/digest.eml; } > /home/desk/box
chown -R desk /home/desk
# The words, then the e-mail that is answered.
printf 'reply 1\nReady at 5.\n\n~m 1\n~.\nexit\n' > /home/desk/typed
su desk -c 'timeout 20 s-nail -n -# -~ -S v15-compat -S mta=/usr/sbin/sendmail -S from=desk@garage.example -S ttycharset=utf-8 -f ~/box < ~/typed' > /out/screen 2>&1
