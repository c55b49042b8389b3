. /programs/mail/answerer.sh
printf 'Subject: Away\n\nWe are away until Monday. Ring 0491 570 006.\n' > /home/desk/.vacation.msg
{ echo 'From bounce@pitlane.example Wed Apr  4 15:59:00 2029'; cat /out/in/notice.eml; } > /home/desk/came
chown -R desk /home/desk
su - desk -c 'vacation -i; vacation -d -a desk@garage.example desk < came'
# It hands its answer over in the background.
n=0
until [ -s /out/answer ] || [ $n -ge 20 ]; do sleep 1; n=$((n + 1)); done
