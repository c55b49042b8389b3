# Sourced: an account `desk` that is away, and a program in the place of sendmail that keeps what it is handed in /out/answer.
useradd --create-home desk
cat > /usr/sbin/sendmail <<'SH'
#!/bin/sh
echo "$@" > /out/answer.arguments
cat > /out/answer
SH
chmod 755 /usr/sbin/sendmail
ln -sf /usr/sbin/sendmail /usr/lib/sendmail
chmod 777 /out
