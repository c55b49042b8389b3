# An SMTP server, on the port 2525 of 127.0.0.1 and 25 of 127.0.0.9, that takes e-mails for nobody but the account `desk`, and says why by
# the name of the recipient.
use strict;
use IO::Socket::INET;

my %replies = (
    # In two lines, as the large providers do.
    gone    => "550-5.1.1 no such user here, see\r\n550 5.1.1 https://else.example/unknown",
    full    => "552 5.2.2 mailbox is full (bo\xC3\xAEte pleine)",
    blocked => '550 5.7.1 your address is listed at block.example',
);
my $server = IO::Socket::INET->new(LocalAddr => $ARGV[0], Listen => 9, ReuseAddr => 1) or die $!;
while (my $client = $server->accept) {
    next if fork;
    my $say = sub { print $client "$_[0]\r\n" };
    $say->('220 mx.else.example ESMTP');
    my $isForDesk;
    while (my $line = <$client>) {
        if ($line =~ /^(?:EHLO|HELO)/i) { $say->('250 mx.else.example') }
        elsif ($line =~ /^RCPT TO:\s*<desk\@/i) { $isForDesk = 1; $say->('250 ok') }
        elsif ($line =~ /^RCPT TO:\s*<(\w+)\@/i) { $say->($replies{ lc $1 } // '250 ok') }
        elsif ($line =~ /^DATA/i && $isForDesk) {
            $say->('354 go on');
            open my $mailbox, '>>', '/var/mail/desk' or die $!;
            my $mail = "From x\n";
            while (my $each = <$client>) {
                last if $each =~ /^\.\r?\n/;
                $mail .= $each;
            }
            print $mailbox "$mail\n";
            close $mailbox;
            $say->('250 ok');
        }
        elsif ($line =~ /^DATA/i) { $say->('554 5.5.1 no valid recipients') }
        elsif ($line =~ /^QUIT/i) { $say->('221 bye'); exit }
        else { $say->('250 ok') }
    }
    exit;
}
