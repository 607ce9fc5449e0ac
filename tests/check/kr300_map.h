/* Column map of the KR300 recordings: motor side, gear ratios as published with them. */
#ifndef TESTS_CHECK_KR300_MAP_H
#define TESTS_CHECK_KR300_MAP_H

static const char kr300_map[] =
    "time: t\nsensing: motor\njoints:\n"
    "- {q: q_mot1, tau: {column: tau_mot1, ratio: 256.857142857}}\n"
    "- {q: q_mot2, tau: {column: tau_mot2, ratio: 267.428571429}}\n"
    "- {q: q_mot3, tau: {column: tau_mot3, ratio: 252.333333333}}\n"
    "- {q: q_mot4, tau: {column: tau_mot4, ratio: 221}}\n"
    "- {q: q_mot5, tau: {column: tau_mot5, ratio: 239.619047619}}\n"
    "- {q: q_mot6, tau: {column: tau_mot6, ratio: 154.323134328}}\n";

#endif
