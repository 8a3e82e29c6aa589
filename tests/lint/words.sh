#!/bin/bash
# Checks the language of the project: words.txt lists words that are not used, and what to use instead.
# Covers comments and messages of the C sources and of the tests except tests/db, the tables and
# queries that C is generated from, scripts of the pages, the documentation and the text of the pages.
# Lines of one comment or paragraph are joined first. Names in backticks, tags of the templates and
# single words in quotes, such as members of the API, are ignored.
set -u
cd "$(dirname "$0")/../.." || exit

mapfile -t files < <(find analysis api lab fetch server sql/queries static templates docs tests ./*.md \
    '(' -name node_modules -o -name vendor -o -path tests/db ')' -prune -o \
    -regex '.*\.\(c\|h\|js\|def\|sql\|md\|html\)' -print | sort)
perl - "${files[@]}" <<'PERL'
use strict;
use warnings;

my (@rules, $bad);
open my $list, '<', 'tests/lint/words.txt' or die "words.txt: $!";
while (<$list>) {
    chomp;
    next if /^(#|$)/;
    my ($pattern, $say, $kind) = split /\t/;
    die "words.txt:$.: PATTERN tab INSTEAD\n" unless $say;
    push @rules, { pattern => qr/$pattern/i, say => $say, kind => $kind // '' };
}
die "words.txt: no rules\n" unless @rules;

# Prose of a C file with the line where each piece begins: comments, and strings with those that
# follow at once.
sub pieces {
    my ($file, $text) = @_;
    my @pieces;

    if ($file =~ /\.[ch]$/) {
        while ($text =~ m{/\*.*?\*/|"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*}gs) {
            my ($piece, $at) = ($&, $-[0]);
            next if $piece =~ /^"\w*"$/;
            $piece =~ s/"\s*"//g;
            $piece =~ s/\n\s*\*?/ /g;
            $piece =~ s/\b\w+=\w+/""/g;
            $piece =~ s/"\w+"/""/g if $piece =~ m{^/};
            push @pieces, [$piece, 1 + (substr($text, 0, $at) =~ tr/\n//)];
        }
    } else {
        $text =~ s/\{\{.*?\}\}|<[^>]*>/ $& =~ s,[^\n],,gr/ges if $file =~ /\.html$/;
        $text =~ s/`[^`\n]*`|\[[^]\n]*\]\([^)\n]*\)|\{#.*?\}/``/g;
        my $line = 0;
        push @pieces, [$_, ++$line] for split /\n/, $text;
    }
    return @pieces;
}

for my $file (@ARGV) {
    open my $in, '<', $file or die "$file: $!";
    my $text = do { local $/; <$in> };
    my $kind = $file =~ /\.(?:[ch]|js)$/ ? 'code' : $file =~ /\.html$/ ? 'pages' : 'docs';

    for my $piece (pieces($file, $text)) {
        for my $rule (@rules) {
            next if $rule->{kind} && $rule->{kind} ne $kind;
            next unless $piece->[0] =~ $rule->{pattern};
            print "$file:$piece->[1]: \"$&\": say $rule->{say}\n";
            $bad = 1;
        }
    }
}
exit($bad ? 1 : 0);
PERL
