"""Chinese and Japanese: the characters that bound words, and the endings that tell what a name names."""

CHINESE_BOUNDS = frozenset(
    "的了是在和与為为于於被把对對从從到也就都而及或但因由所以这這那她他它我你们們之其并並等个個着著不没沒有很将將又再更最"
    "以向如若则則当當已曾仍还還让讓使得地吗嗎呢吧啊即且后後前时時每各该該此"
)
"""Characters that mostly stand alone as function words; a run of Chinese is cut at them, but names may still hold them."""

CHINESE_SURNAMES = frozenset(
    "王李张張刘劉陈陳杨楊赵趙黄黃周吴吳徐孙孫胡朱高林何郭马馬罗羅梁宋郑鄭谢謝韩韓唐冯馮于董萧蕭程曹袁邓鄧许許傅沈曾彭吕呂"
    "苏蘇卢盧蒋蔣蔡贾賈丁魏薛叶葉阎余潘杜戴夏钟鍾汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙龍万段雷钱汤"
)

CHINESE_TRANSLITERATION = frozenset(
    "阿埃艾爱安奥澳巴白班贝本比彼宾波伯布查达丹德登蒂迪丁东杜多恩尔法凡菲费芬丰弗佛夫福盖冈戈格根古哈海汉豪赫黑亨华怀霍基吉加贾杰金卡凯坎康考柯科克肯孔库夸"
    "拉莱赖兰朗劳勒雷黎里理利莉立廉列林琳留卢鲁路伦罗洛吕律马玛麦迈曼芒梅门蒙孟米密明摩莫默姆慕穆那纳娜乃奈南内尼妮涅纽农努诺欧帕潘庞佩彭蓬皮匹平珀普奇齐契"
    "乔切琼丘让热日荣茹儒瑞若撒萨塞赛桑瑟森沙莎山舍申圣施什史士舒斯丝思司松苏绥孙索琐塔泰坦汤唐陶特腾提帖廷图托陀瓦万旺威韦维魏温文翁沃乌武西希锡夏香肖歇谢辛欣"
    "休雄修许逊雅亚延扬耶叶伊依易因英尤雨约泽扎詹珍芝治朱兹宗祖佐坡栋"
)
"""Characters that write foreign names; several in a row are one."""

SUFFIXES: tuple[tuple[str, str], ...] = (
    (
        "PERSON",
        "さん 氏 様 君 先生 王 皇帝 大臣 首相 将軍 国王 女王 教授 博士 总统 總統 主席 将军 將軍 公爵 伯爵 公主 皇后 太子 主教",
    ),
    (
        "PLACE",
        "市 県 縣 省 州 郡 区 區 町 村 国 國 島 岛 山 川 河 江 湖 海 湾 港 城 城堡 寺 駅 站 街 路 橋 桥 宮 宫 广场 半島 大陸 大陆 王国 王國 帝国 帝國",
    ),
    (
        "ORGANIZATION",
        "大学 大學 学院 學院 会社 公司 集团 集團 银行 銀行 協会 协会 学会 委員会 委员会 党 軍 军队 軍隊 政府 部 省庁 研究所 教会 教會 法院",
    ),
    (
        "EVENT",
        "戦争 战争 戰爭 战役 戦い 之战 之戰 包囲戦 围城战 围城 圍城 革命 条約 条约 條約 事件 大会 大會 裁判 审判 審判 祭 节 節 运动 運動",
    ),
    ("WORK", "物語 小説 小说 小說 映画 电影 電影 歌曲 交響曲 交响曲"),
)
"""Endings of names by type, longest match wins."""
