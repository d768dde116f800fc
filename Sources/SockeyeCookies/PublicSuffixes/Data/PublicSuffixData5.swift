// Written by Scripts/update-public-suffixes.py; not to be edited.
//
// From the Public Suffix List, https://publicsuffix.org/list/, version e8c9a2b2 of 2026-08-19.
// This Source Code Form is subject to the terms of the Mozilla Public License, v. 2.0. If a copy of the MPL was not
// distributed with this file, You can obtain one at https://mozilla.org/MPL/2.0/.

/// Rules from `yawatahama.ehime.jp` to `zw`.
enum PublicSuffixData5 {
    static let rules: StaticString = """
        yawatahama.ehime.jp yazu.tottori.jp ye yenbai.vn yicp.fun yk.ca yn.cn ynh.fr yodobashi yoga
        yoichi.hokkaido.jp yoita.niigata.jp yoka.hyogo.jp yokaichiba.chiba.jp yokawa.hyogo.jp yokkaichi.mie.jp
        yokohama yokoshibahikari.chiba.jp yokosuka.kanagawa.jp yokote.akita.jp yokoze.saitama.jp yolasite.com
        yomitan.okinawa.jp yonabaru.okinawa.jp yonago.tottori.jp yonaguni.okinawa.jp yonezawa.yamagata.jp
        yono.saitama.jp yorii.saitama.jp yoro.gifu.jp yoshida.saitama.jp yoshida.shizuoka.jp yoshikawa.saitama.jp
        yoshimi.saitama.jp yoshino.nara.jp yoshinogari.saga.jp yoshioka.gunma.jp yotsukaido.chiba.jp you you2.pl
        youtube yt yuasa.wakayama.jp yufu.oita.jp yugawa.fukushima.jp yugawara.kanagawa.jp yuki.ibaraki.jp
        yukuhashi.fukuoka.jp yun yura.wakayama.jp yurihonjo.akita.jp yusuhara.kochi.jp yusui.kagoshima.jp
        yuu.yamaguchi.jp yuza.yamagata.jp yuzawa.niigata.jp z.bg z.se za.bz za.com za.net za.org zabc.net
        zachpomor.pl zagan.pl zakarpattia.ua zakopane.pl zama.kanagawa.jp zamami.okinawa.jp zao.miyagi.jp zap.cloud
        zaporizhzhe.ua zaporizhzhia.ua zappos zapto.org zara zarow.pl zeabur.app zentsuji.kagawa.jp zero zgierz.pl
        zgora.pl zgorzelec.pl zhitomir.ua zhytomyr.ua zicp.fun zip zj.cn zlg.br zm zombie.jp zone zone.id zp.gov.pl
        zp.ua zpisdn.gov.pl zt.ua zuerich zushi.kanagawa.jp zw
        """
}
