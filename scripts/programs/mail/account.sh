# Sourced: the account to which what can't be delivered comes back.
useradd --create-home desk
