useradd --create-home desk
useradd --create-home pitlane
cat > /etc/exim4/exim4.conf <<'CONF'
primary_hostname = mail.motors.example
host_lookup =
trusted_users = root
begin routers
filter:
  driver = redirect
  check_local_user
  file = $home/.forward
  allow_filter
  reply_transport = answer
  no_verify
local:
  driver = accept
  check_local_user
  transport = mailbox
begin transports
answer:
  driver = autoreply
mailbox:
  driver = appendfile
  file = /var/mail/$local_part_data
  group = mail
CONF
cat > /home/desk/.forward <<'FILTER'
# Exim filter
if personal alias desk@garage.example then
  vacation to $return_path subject "Away" text "We are away until Monday. Ring 0491 570 006."
endif
FILTER
chown desk /home/desk/.forward
touch /var/mail/pitlane
chown pitlane:mail /var/mail/pitlane
/usr/sbin/exim4 -odi -f pitlane@mail.motors.example desk@mail.motors.example < /out/in/notice.eml
n=0
until [ -s /var/mail/pitlane ] || [ $n -ge 20 ]; do sleep 1; n=$((n + 1)); done
cp /var/mail/pitlane /out/answer
