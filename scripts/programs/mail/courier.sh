. /programs/mail/account.sh
cd /etc/courier
echo mail.motors.example > me
echo mail.motors.example > defaultdomain
printf 'localhost\nmail.motors.example\n' > locals
mailbox=/home/desk/Maildir/new
su desk -c 'maildirmake.courier ~/Maildir || mkdir -p ~/Maildir/new ~/Maildir/cur ~/Maildir/tmp'
echo ./Maildir > defaultdelivery
mkdir -p /run/courier
chown courier:courier /run/courier 2> /dev/null || true
/etc/init.d/courier-authdaemon start
/usr/sbin/courier start
sleep 2
. /programs/mail/bounces.sh
