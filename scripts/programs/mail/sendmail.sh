. /programs/mail/account.sh
cat > /etc/mail/sendmail.mc <<'CONF'
include(`/usr/share/sendmail/cf/m4/cf.m4')dnl
OSTYPE(`debian')dnl
DOMAIN(`debian-mta')dnl
undefine(`confHOST_STATUS_DIRECTORY')dnl
define(`confDOMAIN_NAME', `mail.motors.example')dnl
define(`SMART_HOST', `smtp:[127.0.0.1]')dnl
define(`SMTP_MAILER_ARGS', `TCP $h 2525')dnl
define(`confTO_IDENT', `0')dnl
define(`confSERVICE_SWITCH_FILE', `/etc/mail/service.switch')dnl
FEATURE(`nocanonify')dnl
MAILER(`local')dnl
MAILER(`smtp')dnl
CONF
m4 /etc/mail/sendmail.mc > /etc/mail/sendmail.cf
echo 'hosts files' > /etc/mail/service.switch
echo mail.motors.example > /etc/mail/local-host-names
touch /etc/mail/trusted-users; : > /etc/mail/aliases; newaliases
sendmail=/usr/sbin/sendmail
flags='-Am -odi -f desk@mail.motors.example'
. /programs/mail/bounces.sh
