#include "testweb/languages.h"

const struct language_facts language_facts[LANGUAGES] = {
	[LANG_EN] = {
		.code = "en", .charset = "windows-1252", .spaced = true, .stop = ".", .comma = ",",
		.frequent =
			"the of and to a in is that it was for on are as with his they at be this from "
			"have or by one had not but what all were when we there can an your which their "
			"said if do will each about how up out them then she many some so these would "
			"other into has more her two like him see time could no make than first been its "
			"who now people my made over did down only way find use may water long little "
			"very after words called just where most know get through back much before go "
			"good new write our used me man too any day same right look think also around "
			"another came come work three must because does part even place well such here "
			"take why things help put years different away again off went old number great "
			"tell men say small every found still between name should home big give air line "
			"set own under read last never us left end along while might next sound below "
			"saw something thought both few those always looked show large often together "
			"asked house world going want school important until form food keep children "
			"feet land side without boy once animals life enough took sometimes four head "
			"above kind began almost live page got earth need far hand high year mother "
			"light parts country father let night following picture being study second eyes "
			"soon times story boys since white days ever paper hard near sentence better "
			"best across during today others however sure means knew try told young miles "
			"sun ways thing whole hear example heard several change answer room sea against "
			"top turned learn point city play toward five using himself usually",
		.syllables = "ba con der el fer gra hin is jo ker lan mer nor ol pre qui ran ser ti un ver "
			     "wil ex yar zan ment ing tion able ous ly er ed ness ship ward less ful est "
			     "com dis re in ter sub per pro tra man car bor den fin gal hol",
		.min_syllables = 2, .max_syllables = 4,
	},
	[LANG_DE] = {
		.code = "de", .charset = "iso-8859-1", .spaced = true, .stop = ".", .comma = ",",
		.frequent =
			"der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als "
			"auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie "
			"einem über einen so zum war haben nur oder aber vor zur bis mehr durch man sein "
			"wurde wenn können diese unter gegen vom kann schon wir ihre alle dann waren "
			"zwei sehr hier wieder doch ihrer ihr seine anderen etwas beim Jahr Jahre Zeit "
			"Menschen immer heute neue keine weil seit dieser damit was ohne zwischen jetzt "
			"müssen viele gibt Leben Stadt Haus Land Wasser Weg Arbeit Frage Teil Welt Tag "
			"Kinder gut groß klein lange ganz selbst wohl also denn nun einmal Mann Frau Hand "
			"deutsch später ersten letzten eigenen großen alten neuen jungen wenig fast "
			"während darauf davon dabei sowie jedoch bereits etwa zunächst dort Straße "
			"Schule Geschichte Bild Buch Seite Ende Anfang Grund Beispiel möglich wichtig",
		.syllables = "auf aus ber dung ein ent fahr ge heit ig keit lich mann nis ober platz reich "
			     "schaft stein tag ung ver wald weg zeit haus berg tal bach lauf werk schlag "
			     "kraft land feld burg hof bild kunst recht satz stand wahl zug über vor nach "
			     "um bau dorf grün früh",
		.min_syllables = 2, .max_syllables = 4,
	},
	[LANG_FR] = {
		.code = "fr", .charset = "iso-8859-1", .spaced = true, .stop = ".", .comma = ",",
		.frequent =
			"de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se "
			"ce il sont avec on ou aux cette ses mais comme son nous fait été sa tout elle "
			"leur même deux être ont bien ces si entre sans peut ainsi encore après avant "
			"depuis temps aussi dont lui tous très grande faire années ville pays monde vie "
			"toujours autre autres moins sous puis fois jour jours eau maison partie homme "
			"femme enfants travail petit grand nouveau nouvelle premier première dernier "
			"chaque alors donc quand où ici rien peu trop beaucoup souvent jamais contre "
			"pendant vers chez selon parce histoire question exemple point place mot livre "
			"page route terre mer nuit matin main tête école rue loin près quelques plusieurs "
			"doit dit voir prendre mettre trouver donner passer savoir rendre il y avait était",
		.syllables = "ba che dé eau fi gran hor jour lan mai nou om pa quel ré son ter vi voi "
			     "ment tion age esse ière eur euse able ique té ance oir ette ard ien cou "
			     "pré con tra mar bel fon char plan clo bri",
		.min_syllables = 2, .max_syllables = 4,
	},
	[LANG_ES] = {
		.code = "es", .charset = "iso-8859-1", .spaced = true, .stop = ".", .comma = ",",
		.frequent =
			"de la que el en y a los se del las un por con no una su para es al lo como más o "
			"pero sus le ha me si sin sobre este ya entre cuando todo esta ser son dos también "
			"fue había era muy años hasta desde está mi porque qué sólo han yo hay vez puede "
			"todos así nos ni parte tiene él uno donde bien tiempo mismo ese ahora cada vida "
			"otro después te otros aunque esa eso hace otra gobierno tan durante siempre día "
			"tanto ella tres sí dijo sido gran país según menos mundo año antes estado contra "
			"sino forma caso nada hacer general estaba poco estos presidente mayor ante unos "
			"les algo hacia casa ellos ayer hecho primera mucho mientras además quien momento "
			"millones esto hombre agua ciudad trabajo mujer noche niños lugar camino tierra "
			"historia ejemplo libro página calle escuela luz nombre cosa mano mejor nuevo",
		.syllables = "ca ción dad do es fi gra her in jar la mien mo nor ña pe que ra sol ta to "
			     "va zón ble dor mente ista illo aje ero bra cre fuer lum mar pla ter tri "
			     "ven cor pan ron sal vi bar",
		.min_syllables = 2, .max_syllables = 4,
	},
	[LANG_RU] = {
		.code = "ru", .charset = "windows-1251", .spaced = true, .stop = ".", .comma = ",",
		.frequent =
			"и в не на я что он с как это по но его к из у за то так же от о для она бы мы было "
			"все только или уже был меня еще до если они когда вы ее ему быть во время при нет "
			"того чтобы без может себя год даже где под после тот есть них раз этом дело "
			"человек жизнь день рука работа слово место вопрос лицо друг страна мир случай "
			"голова ребенок сила конец вид система часть город отношение женщина деньги земля "
			"машина вода отец проблема час право нога решение дверь образ история власть закон "
			"война бог голос тысяча книга возможность результат ночь стол имя область статья "
			"число компания народ семья один два первый новый большой должен мочь сказать "
			"говорить знать стать хотеть идти видеть думать между через перед очень здесь "
			"теперь потом надо можно тогда сейчас потому почти всегда никогда например",
		.syllables = "ба ва го да ени жи за ива ка ли мо на ос по ра ство та ури фо хо ци чи ша "
			     "эт ния ость ный ская тель ник ка ров пре при пере вы до раз под над об "
			     "кра гор лес мор сне тер вет",
		.min_syllables = 2, .max_syllables = 4,
	},
	[LANG_AR] = {
		.code = "ar", .charset = "windows-1256", .spaced = true, .stop = ".", .comma = "،",
		.frequent =
			"في من على أن إلى التي عن هذا لا ما كان الذي هذه مع كل هو بعد أو بين ذلك كما قال "
			"لم عام وقد حيث عند قد هي يوم حتى غير كانت خلال أي إن منذ أكثر وهو له وكان فيها "
			"منها ثم لكن قبل بعض عدد جميع أما أول مثل دون تم نحو العالم الناس الماء المدينة "
			"البيت العمل الوقت الحياة اليوم السنة الكتاب الطريق المدرسة الأرض البحر الليل "
			"الشمس السوق اللغة التاريخ الدولة الحكومة الشعب الرجل المرأة الأطفال كبير صغير "
			"جديد قديم طويل قصير جميل مهم ممكن كثير قليل هناك هنا أيضا فقط الآن دائما أحيانا",
		.syllables = "ال با تا مد رس كت حم سل عم قر نو ري مي لي ها وا شر فر جم خل دو زي طر صن ضو "
			     "غر بي ين ات ون ية ان",
		.min_syllables = 2, .max_syllables = 4,
	},
	[LANG_ZH] = {
		.code = "zh", .charset = "gb18030", .spaced = false, .stop = "。", .comma = "，",
		.frequent =
			"的 是 在 了 和 有 不 这 我 他 为 也 就 人 都 一个 上 中 说 到 我们 要 以 时 可以 会 "
			"他们 对 她 很 没有 与 从 地 得 着 而 被 之 后 自己 年 大 能 去 来 那 下 年代 工作 "
			"问题 中国 社会 发展 生活 时间 国家 世界 学校 经济 文化 历史 城市 学生 老师 今天 "
			"现在 已经 因为 所以 如果 但是 或者 还是 这样 那么 什么 怎么 为什么 非常 比较 一些 "
			"很多 所有 每天 开始 继续 结束 发现 认为 知道 觉得 希望 需要 应该 可能 必须 然后 "
			"最后 首先 其中 同时 以后 以前 之间 方面 方法 情况 结果 原因 影响 作用 关系 条件 "
			"技术 科学 研究 教育 环境 自然 水 山 路 家 书 电话 朋友 孩子 父亲 母亲",
		.syllables =
			"天 地 人 山 水 火 木 金 土 日 月 星 云 风 雨 雪 花 草 树 林 河 海 江 湖 石 田 城 村 "
			"门 窗 桥 路 车 船 马 牛 羊 鱼 鸟 虫 手 足 目 耳 口 心 力 气 声 色 光 影 春 夏 秋 冬 "
			"东 西 南 北 左 右 前 后 内 外 高 低 长 短 大 小 多 少 新 旧 古 今 生 死 老 幼 男 女 "
			"父 母 兄 弟 姐 妹 夫 妻 师 友 王 民 国 家 军 兵 法 律 文 字 书 画 诗 歌 琴 棋 学 问 "
			"思 想 情 理 道 德 礼 义 信 智 勇 仁 爱 恨 喜 怒 哀 乐 行 走 跑 飞 坐 立 看 听 说 读 "
			"写 吃 喝 买 卖 开 关 进 出 来 去 起 落 升 降 分 合 加 减 平 安 和 战 胜 败 始 终 本 "
			"末 主 客 公 私 真 假 善 恶 美 丑 强 弱 轻 重 明 暗 清 浊 远 近 深 浅 冷 热 干 湿",
		.min_syllables = 1, .max_syllables = 3,
	},
	[LANG_JA] = {
		.code = "ja", .charset = "shift_jis", .spaced = false, .stop = "。", .comma = "、",
		.frequent =
			"の に は を た が で て と し れ さ ある いる も する から な こと として い や など "
			"なっ ない この ため その あっ よう また もの という あり まで られ なる へ か だ "
			"これ によって により おり より による ず なり られる において ば なかっ なく しかし "
			"について せ だっ その後 できる それ う ので なお のみ でき き つ における および "
			"いう さらに でも ら たり その他 に関する たち ます ん なら に対して 特に せる 及び "
			"これら とき では にて ほか ながら うち そして とともに ただし かつて それぞれ または "
			"日本 時間 東京 世界 学校 会社 仕事 生活 問題 社会 今日 昨日 歴史 文化 町 人々 水 山",
		.syllables =
			"日 月 火 水 木 金 土 山 川 田 村 町 市 県 国 人 子 女 男 手 目 耳 口 心 力 気 声 色 "
			"光 春 夏 秋 冬 東 西 南 北 上 下 中 大 小 高 長 新 古 生 学 校 文 字 本 語 話 車 道 "
			"カ ト ラ ン ス リ ア イ テ ル レ ク シ ド タ マ コ ジ バ ナ プ メ り く み と し か る "
			"野 原 森 林 花 草 鳥 魚 犬 石 海 空 風 雨 雪 雲 星 夜 朝 昼 家 門 店 駅 橋 船 米 茶",
		.min_syllables = 1, .max_syllables = 3,
	},
};

const struct topic_facts topic_facts[TOPICS] = {
	{ "beekeeping",
	  "bee hive honey queen swarm pollen nectar apiary brood smoker comb drone "
	  "beekeeper forage varroa colony" },
	{ "astronomy",
	  "star planet telescope galaxy orbit comet nebula eclipse lunar solar asteroid "
	  "constellation observatory supernova spectrum satellite" },
	{ "cooking",
	  "recipe oven flour butter simmer roast garlic sauce onion dough spice pan bake "
	  "kitchen tablespoon broth" },
	{ "cycling",
	  "bicycle wheel chain gear saddle pedal brake tyre rider peloton sprint climb "
	  "handlebar derailleur velodrome stage" },
	{ "chess",
	  "bishop knight rook pawn checkmate opening endgame gambit castling grandmaster "
	  "tournament board clock stalemate sacrifice defence" },
	{ "gardening",
	  "soil seed compost prune bulb greenhouse mulch weed blossom perennial shrub "
	  "lawn hedge watering seedling trowel" },
	{ "sailing",
	  "sail mast hull keel rudder harbour tide anchor rigging regatta deck skipper "
	  "spinnaker knot mooring jib" },
	{ "photography",
	  "camera lens aperture shutter exposure tripod focus portrait darkroom film "
	  "negative filter flash contrast print composition" },
	{ "geology",
	  "rock mineral fault granite basalt sediment fossil volcano magma crust erosion "
	  "quartz limestone glacier strata earthquake" },
	{ "music", "violin orchestra melody chord concert piano rhythm tempo symphony "
		   "guitar choir "
		   "harmony conductor sonata tuning quartet" },
	{ "medicine",
	  "patient doctor surgery diagnosis vaccine hospital symptom therapy dose clinic "
	  "infection nurse treatment fever blood immune" },
	{ "finance",
	  "bank interest loan bond dividend equity market inflation portfolio credit "
	  "broker mortgage asset hedge currency yield" },
	{ "railways",
	  "locomotive track station signal carriage platform timetable gauge freight "
	  "junction tunnel viaduct conductor sleeper express depot" },
	{ "football",
	  "goal striker midfield penalty referee league keeper tackle corner header "
	  "stadium transfer dribble offside coach fixture" },
	{ "programming",
	  "compiler function variable pointer loop array thread debug syntax library "
	  "recursion parser memory stack hash algorithm" },
	{ "history",
	  "empire treaty dynasty revolution medieval siege monarch archive parliament "
	  "colony manuscript conquest reign charter crusade republic" },
};

const char english_slug_words[] =
	"quiet river garden silver bridge morning copper window hidden valley amber "
	"field stone "
	"winter harbor letter golden meadow paper lantern broken mirror distant island "
	"velvet "
	"market early thunder wooden castle gentle breeze crimson forest secret tower "
	"ancient "
	"temple frozen lake bright candle hollow canyon misty shore iron gate emerald "
	"path lonely "
	"desert marble statue purple cloud rapid stream rusty anchor sacred grove "
	"shallow pond "
	"simple journey sleepy village smooth pebble solar engine spring blossom steady "
	"hammer "
	"summer orchard sunny terrace swift falcon tender branch twilight avenue urban "
	"corner "
	"vivid canvas wandering shepherd warm hearth western prairie white sail wild "
	"berry wise "
	"owl yellow ribbon young maple zealous badger arctic fox autumn leaf balanced "
	"scale blue "
	"heron bold voyage brave sailor calm ocean careful weaver cheerful robin clear "
	"signal "
	"clever monkey cool cellar coral reef cosmic dust cotton thread curious kitten "
	"daily "
	"bread dark chamber deep well digital clock dry creek dusty road eager pupil "
	"eastern wind "
	"electric spark empty station endless summit evening song faint echo famous "
	"painter fancy "
	"ballroom fierce tiger final chapter fleeting shadow flying carpet formal dinner "
	"fragile "
	"glass fresh bakery friendly giant future machine gloomy attic grand piano "
	"grateful guest "
	"green hill happy dolphin heavy wagon honest miller humble cottage hungry wolf "
	"idle "
	"tractor inner circle jolly baker keen archer kind neighbor large barrel late "
	"harvest "
	"lazy cricket little drummer local museum lost compass loud trumpet lucky penny "
	"magic "
	"carving major highway mellow cheese mighty oak modern theater narrow alley "
	"noble knight "
	"northern lights novel idea odd number olive press open ladder";
