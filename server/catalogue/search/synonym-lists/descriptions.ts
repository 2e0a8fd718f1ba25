/** Words for audiences, occasions, sorts, colours, materials and numbers. */
export const DESCRIPTIONS = `
optional: grandma, grandmother, granny, gran, nan, nana, grandpa, grandfather, grandad, granddad, grandparent, grandparents, parent, parents, mummy, mommy, daddy, papa
optional: sister, brother, daughter, son, niece, nephew, aunt, auntie, uncle, family, families, couple, couples, bride, groom, fiance, fiancee, partner, lover, lovers
optional: teacher, student, pupil, colleague, coworker, boss, neighbour, neighbor, host, hostess, guest, owner, someone, everyone, people, person, teenager, teenage, preschool, elderly, pensioner, gentleman, gentlemen, guy, bloke, chap, tween, schoolchild, schoolchildren
optional: fathers, mothers, day, eve, graduation, retirement, housewarming, engagement, christening, thanksgiving, hanukkah, diwali, eid, souvenir, keepsake, surprise, idea, ideas, occasion, special, secret, santa, festive, seasonal
optional: mature, matured, ripe, year, yr, old, month, age, aged, beginner, learner, starter, pro, intermediate, amateur, commute, commuting, commuter
optional: kit, pair, bundle, accessory, accessories, equipment, gear, stuff, thing, item, product, supply, supplies, goods, piece, assortment, brand, type, style, kind, sort
optional: decent, proper, lovely, pretty, beautiful, cute, funny, unusual, unique, stylish, trendy, recommended, rated, bestseller, bestselling, inexpensive, budget, bargain, clearance, delivery, delivered, want, need, looking, find, get, please
colours: khaki, turquoise, cyan, magenta, maroon, burgundy, scarlet, crimson, lilac, lavender, tan, camel, ivory, nude, peach, mustard, lime, emerald, charcoal
minor: multicoloured, multicolored, colourful, colorful, rainbow, neon, metallic, patterned, checked, dotted, polka, stripy, stripey, transparent, clear
minor: bronze, pewter, chrome, aluminium, aluminum, titanium, cast, marble, stone, slate, porcelain, stoneware, earthenware, enamel, crystal, acrylic, resin, velvet, suede, satin, lace, fleece, cashmere, merino, mohair, nylon, polyester, viscose, jersey, corduroy, tweed, felt, faux, vegan, pine, beech, walnut, teak, mahogany, rattan, wicker, willow, cork, jute, hemp, recycled
minor: waterproof, personalised, personalized, handmade, homemade, handcrafted, artisan, artisanal, organic, natural, eco, ecological, sustainable, ethical, fairtrade, used, vintage, retro, antique, modern, contemporary, traditional, comfortable, comfy, cosy, cozy, warm, soft, lightweight, heavy, durable, sturdy, quiet, portable, compact, mini, tiny, little, medium, giant, huge, long, short, tall, wide, thick, thin, extra, slim, plus, ultra, super, original, genuine, authentic
minor: two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, dozen, single, double, triple
things: cream, glass, glasses, paper, wool, rope, rose, orange, oranges, olive, olives, mint, chestnut, chestnuts, peach, lime, limes, rubber, iron, plaster, felt, light, lights, stone, stones, lace, bamboo, jersey, plum, lavender
2, two
3, three
4, four
5, five
6, six
7, seven
8, eight
9, nine
10, ten
12, twelve, dozen
1000, thousand
near: two seater, 2 seater => two seat
foldable, folding, collapsible, fold up
optional: toddlers, preteen, grandson, granddaughter, grandchild, something, anything, enough, really, made, hobby, enthusiast, evening, night, newborn, weekend, trip, journey, bathroom, bedroom, lounge, hallway, living, room
minor: clothes, clothing, garment, apparel, wear, outfit
minor: sleeve, sleeved, sleeveless, neck, neckline, collared, pocket, hooded, cuff, lined, buttoned, zipped
minor: indian, italian, french, german, spanish, english, british, scottish, irish, swiss, greek, turkish, russian, polish, swedish, danish, nordic, scandinavian, american, mexican, brazilian, african, kenyan, nigerian, moroccan, egyptian, arabic, persian, chinese, japanese, korean, thai, asian, european
minor: healthy, tasty, delicious, yummy, fresh, raw, crunchy, spicy, sweet, savoury, savory, salty, strong, powerful, loud, fast, quick, easy, simple, smart, foldable, adjustable, rechargeable, reusable, washable, breathable, stretchy, elegant, classic, sharp, smooth, scented, unscented, nonstick, electric, electrical, manual, automatic
1 year old, one year old, 2 year old, two year old, 3 year old, three year old, 6 month old, 12 month old, 18 month old, baby, toddler => stacking toy
1 year old, 2 year old, 3 year old, 4 year old, 5 year old, 6 year old, 7 year old, 8 year old, 9 year old, 10 year old, 11 year old, 12 month old, 18 month old, 6 month old => kid, toy
one year old, two year old, three year old, four year old, five year old, six year old, seven year old, eight year old, nine year old, ten year old, eleven year old => kid, toy
kid, child, boy, girl, toddler, baby, son, daughter, nephew, niece, grandson, granddaughter, grandchild => toy
outfit, apparel, garment, clothes, wardrobe => clothing
`
