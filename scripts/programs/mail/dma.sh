. /programs/mail/account.sh
printf 'SMARTHOST 127.0.0.1\nPORT 2525\nMAILNAME mail.motors.example\n' > /etc/dma/dma.conf
sendmail=/usr/sbin/dma
again='/usr/sbin/dma -q'
. /programs/mail/bounces.sh
