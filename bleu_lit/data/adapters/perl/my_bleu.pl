#!/usr/bin/env perl
# A BLEU under the conformance suite of bleu_lit. Put yours in place of `bleu`, and run:
#
#     bleu-lit conform --command "perl my_bleu.pl"
#
# A line of standard input is a case, a line of standard output its answer: results by stage, as many or as few as you have;
# or an error, right where the input has no score; or a skip, with the reason, for what your BLEU has no option for.
# Scores of few digits say so beside "stages": "within":{"score":0.00005} for two decimals of a percentage.
use strict;
use warnings;
use File::Basename 'basename';
use JSON::PP;

$| = 1;    # flush after each line: the next case comes when this one is answered
my $json = JSON::PP->new->ascii->canonical;

sub answer {
    my ($case) = @_;
    my ($said, $input) = @{$case}{qw(settings input)};
    return { skip => "no level: $case->{level}" } if $case->{level} !~ /^(corpus|sentence)$/;
    return { skip => "no smoothing, no effective order, and the closest reference length alone" }
      if $said->{smooth} ne 'none' || $said->{effective_order} || $said->{reference_length} ne 'closest';
    my $tokenized = $input->{tokenized};
    return { skip => "no tokenizer, no lowercasing and no normalisation" }
      if !$tokenized && ($said->{tokenize} ne 'none' || $said->{lowercase} || $said->{normalize});
    return { skip => "a blank reference is an empty one" } if ($said->{blank_references} // 'empty') ne 'empty';
    die "no smoothing, but a value for it\n" if defined $said->{smooth_value};
    my $cut = sub {
        my ($segment) = @_;
        my @texts = !$tokenized ? $segment : ref $segment eq 'ARRAY' ? @$segment : undef;
        die "a segment of the wrong type\n" if grep { !is_text($_) } @texts;
        return $tokenized ? $segment : [ $segment =~ /[^\t-\r\x1c-\x20\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]+/g ];
    };
    my ($candidates, $references) = @{$input}{qw(candidates references)};
    die "no lists of segments\n" if ref $candidates ne 'ARRAY' || ref $references ne 'ARRAY' || !@$candidates;
    die scalar(@$candidates) . " candidates, but references for " . scalar(@$references) . "\n" if @$candidates != @$references;
    my @groups;
    for my $group (@$references) {
        die "every candidate needs a list of references\n" if ref $group ne 'ARRAY';
        my @there = map { $cut->($_) } grep { defined } @$group;
        die "a candidate without a reference\n" if !@there;
        push @groups, \@there;
    }
    return { stages => bleu([ map { $cut->($_) } @$candidates ], \@groups, $said->{max_order}, $said->{weights}) };
}

# Whether a value was a text in JSON, and not a number.
sub is_text { my ($value) = @_; return defined $value && !ref $value && $json->encode([$value]) =~ /^\["/ }

sub ngrams {
    my ($tokens, $n) = @_;
    my %counts;
    for my $i (0 .. @$tokens - $n) {
        $counts{ join '', map { length($_) . ":$_" } @{$tokens}[ $i .. $i + $n - 1 ] }++;
    }
    return \%counts;
}

# BLEU of tokens, with its parts. Replace this by your own.
sub bleu {
    my ($candidates, $references, $max_order, $weights) = @_;
    die "the order must be at least 1\n" if $max_order < 1;
    my @w = $weights ? @$weights : (1 / $max_order) x $max_order;
    my $sum = 0;
    $sum += $_ for @w;
    die "one weight for each order, none negative, with the sum 1\n" if @w != $max_order || grep({ $_ < 0 } @w) || abs($sum - 1) > 1e-9;
    my @matched = (0) x $max_order;
    my @total   = (0) x $max_order;
    my ($c, $r) = (0, 0);
    for my $s (0 .. $#$candidates) {
        my $own = @{ $candidates->[$s] };
        my @lengths = sort { abs($a - $own) <=> abs($b - $own) || $a <=> $b } map { scalar @$_ } @{ $references->[$s] };
        $c += $own;
        $r += $lengths[0];
        for my $n (1 .. $max_order) {
            my $counts = ngrams($candidates->[$s], $n);
            my %bound;
            for my $reference (@{ $references->[$s] }) {
                my $other = ngrams($reference, $n);
                for (keys %$other) { $bound{$_} = $other->{$_} if $other->{$_} > ($bound{$_} // 0) }
            }
            for my $gram (keys %$counts) {
                my ($count, $most) = ($counts->{$gram}, $bound{$gram} // 0);
                $total[ $n - 1 ] += $count;
                $matched[ $n - 1 ] += $count < $most ? $count : $most;
            }
        }
    }
    my $penalty = !$c ? 0 : $r > $c ? exp(1 - $r / $c) : 1;
    my ($log, $zero) = (0, 0);
    for my $n (grep { $w[$_] > 0 } 0 .. $max_order - 1) {
        if ($matched[$n]) { $log += $w[$n] * log($matched[$n] / $total[$n]) }
        else              { $zero = 1 }
    }
    return {
        total => \@total, matched => \@matched, candidate_length => $c, reference_length => $r,
        brevity_penalty => 0 + $penalty, score => $zero ? 0 : $penalty * exp($log),
    };
}

while (my $line = <STDIN>) {
    next if $line !~ /\S/;
    my $case = eval { $json->decode($line) };
    my $result = $case ? eval { answer($case) } : { skip => "JSON::PP cannot read half of a surrogate pair" };
    ($case) = map { { id => $_ } } $line =~ /^\{"id":"([^"]*)"/ if !$case;
    if (!$result) { chomp(my $why = $@); $result = { error => $why } }
    print $json->encode({ id => $case->{id}, %$result, implementation => basename($0) . ' 1.0' }), "\n";
}
