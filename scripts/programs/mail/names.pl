# A name server on the loopback: each name has the address 127.0.0.9, and no other record.
use strict;
use IO::Socket::INET;

my $socket = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => 53, Proto => 'udp') or die $!;
while ($socket->recv(my $asked, 1500)) {
    my ($id, $flags) = unpack 'n2', $asked;
    my $end = 12;
    $end += 1 + ord substr $asked, $end, 1 while ord substr $asked, $end, 1;
    my $question = substr $asked, 12, $end + 5 - 12;
    my $isAddress = unpack('n', substr $question, -4) == 1;
    my $answer = $isAddress ? pack('n3 N n C4', 0xC00C, 1, 1, 60, 4, 127, 0, 0, 9) : '';
    $socket->send(pack('n6', $id, 0x8580 | ($flags & 0x0100), 1, $isAddress ? 1 : 0, 0, 0) . $question . $answer);
}
