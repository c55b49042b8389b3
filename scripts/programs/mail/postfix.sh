. /programs/mail/account.sh
[ -e /etc/postfix/main.cf ] || cp /usr/share/postfix/main.cf.debian /etc/postfix/main.cf
postconf -e 'relayhost = [127.0.0.1]:2525' 'myhostname = mail.motors.example' 'mydestination = mail.motors.example' 'inet_interfaces = loopback-only' 'inet_protocols = ipv4' 'mailbox_command =' 'maillog_file = /var/log/postfix.log' 'alias_maps =' 'alias_database ='
postfix start
. /programs/mail/bounces.sh
