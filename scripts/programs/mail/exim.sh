. /programs/mail/account.sh
cat > /etc/exim4/exim4.conf <<'CONF'
primary_hostname = mail.motors.example
domainlist local = mail.motors.example
local_interfaces = 127.0.0.1
host_lookup =
trusted_users = root
begin routers
smarthost:
  driver = manualroute
  domains = ! +local
  route_list = * 127.0.0.1::2525
  self = send
  transport = smtp
local:
  driver = accept
  check_local_user
  transport = mailbox
begin transports
smtp:
  driver = smtp
  hosts_try_fastopen =
mailbox:
  driver = appendfile
  file = /var/mail/$local_part_data
  group = mail
begin retry
* * F,1h,5m
CONF
touch /var/mail/desk
chown desk:mail /var/mail/desk
sendmail=/usr/sbin/exim4
. /programs/mail/bounces.sh
