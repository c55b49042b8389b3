# What the Sieve script of the account says: `vacation` or `forward`.
. /programs/mail/answerer.sh
cat > /etc/dovecot/room.conf <<'CONF'
mail_location = maildir:~/Maildir
log_path = /dev/stderr
hostname = mail.motors.example
postmaster_address = postmaster@mail.motors.example
sendmail_path = /usr/sbin/sendmail
protocol lda {
  mail_plugins = sieve
}
plugin {
  sieve = ~/.dovecot.sieve
}
CONF
case $1 in
  vacation) input=notice.eml sender=bounce@pitlane.example
    printf 'require ["vacation"];\nvacation :days 1 :addresses ["desk@garage.example"] "We are away until Monday. Ring 0491 570 006.";\n' ;;
  forward) input=reply.eml sender=desk@garage.example
    printf 'redirect "replies@reply.pitlane.example";\n' ;;
esac > /home/desk/.dovecot.sieve
chown desk /home/desk/.dovecot.sieve
su desk -c "/usr/lib/dovecot/dovecot-lda -c /etc/dovecot/room.conf -f $sender -a desk@garage.example < /out/in/$input"
