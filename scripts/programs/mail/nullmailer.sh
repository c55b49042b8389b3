. /programs/mail/account.sh
# Its smarthost takes what it reports to the account, too.
echo mail.motors.example > /etc/mailname
echo '127.0.0.1 smtp --port=2525' > /etc/nullmailer/remotes
echo 1 > /etc/nullmailer/pausetime
nullmailer-send > /out/nullmailer.log 2>&1 &
. /programs/mail/bounces.sh
