. /programs/mail/account.sh
cat > /etc/smtpd.conf <<'CONF'
listen on lo port 25
action "local" mbox
action "out" relay host smtp://127.0.0.1:2525
match from local for domain "mail.motors.example" action "local"
match from local for local action "local"
match from local for any action "out"
CONF
echo mail.motors.example > /etc/mailname
smtpd
sleep 1
. /programs/mail/bounces.sh
