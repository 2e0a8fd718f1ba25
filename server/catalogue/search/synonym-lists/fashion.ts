/** Clothes, shoes, bags and accessories. */
export const FASHION = `
# Clothing
near: trousers, pants, slacks, chinos, cargo pants, bottoms => jeans
near: leggings, tights, joggers, sweatpants, jogging bottoms => jeans, socks
dungarees, overalls, bib overalls
near: jeans, denim jeans => trousers
near: jumper, sweater, pullover, cardigan, knitwear, fleece => hoodie, jumper, sweatshirt
near: hoodie, sweatshirt => jumper, sweater
sweatshirt, sweat shirt, hooded top => hoodie
near: vest, tank top, singlet, camisole, polo, polo shirt => t shirt, tee, top
vest, tank top, singlet
near: shirt, polo shirt, blouse, tunic => shirt, top, blouse
button up, button down, dress shirt => shirt
summer dress, sun dress, sundress, maxi dress, midi dress, mini dress => dress
evening dress, ball gown, party dress, cocktail dress, prom dress, wedding dress, evening gown => dress
summer frock => dress
near: skirt => dress
bathing costume, swim suit, swimsuit, bathing suit, one piece swimsuit
swimming costume, swimming suit => swimsuit
near: bikini, swimwear, tankini => swimsuit, board shorts
bathers, cossie, swimmers => swimsuit, board shorts
swimming shorts, swimming trunks, bathing trunks, trunks, board shorts
dressing gown, bathrobe, bath robe, house coat, housecoat, kimono robe, robe
near: pyjamas, nightwear, nightgown, nightdress, nightie, sleepwear, loungewear => robe, kimono
winter coat, warm coat, overcoat, top coat, trench coat, pea coat, duffle coat, wool coat => coat
near: puffer jacket, padded jacket, quilted jacket, down jacket, ski jacket, winter jacket, parka, anorak => jacket, coat
puffer jacket, padded jacket, down jacket => winter jacket
rain jacket, rain coat, raincoat, waterproof coat, waterproofs, cagoule, mackintosh, anorak => waterproof jacket
near: raincoat, rain coat, rain jacket => coat, jacket
near: blazer, suit jacket, sports coat, sport coat, gilet, bodywarmer, windbreaker, bomber jacket => jacket, coat
leather jacket, biker jacket, motorcycle jacket
dinner jacket, black tie, dinner suit, formal suit => tuxedo
near: suit, formal wear => shirt and tie, tuxedo, blazer
ties, necktie, tie
near: bow tie => tie
lumberjack shirt, flannel shirt, plaid shirt, check shirt, tartan shirt => chequered shirt, flannel shirt
peaked cap, baseball hat, flat cap, snapback, trucker cap => cap
top hat, topper
bobble hat, wooly hat, woolly hat, winter hat, beany, ski hat, knitted hat => beanie
near: beanie, winter hat => hat
sun hat, sunhat, straw hat, panama, panama hat, beach hat, fedora
near: bonnet, beret => hat
stockings, hosiery, ankle socks, sports socks => socks
near: tights, stockings => socks
winter gloves, warm gloves, touchscreen gloves, touch screen gloves => touch gloves, gloves
neck warmer, snood, pashmina, wrap, stole => scarf
saree, sari, sarree
head scarf, headscarf, bandana, bandanna => scarf
near: waistband, braces, suspenders => belt
underpants, boxers, boxer shorts, briefs
khaki => olive, green, beige
# Shoes
ballet pumps, ballet flats, ballet slippers, ballet shoes, ballerina flats, ballerinas, dolly shoes
dance shoes, dance slippers, ballet shoes, ballet slippers, jazz shoes, pointe shoes
court shoes, stilettos, high heels, heeled shoes, pumps
brogues, oxfords, derbies, derby, lace ups, dress shoes, smart shoes, business shoes, formal shoes, office shoes, leather shoes
loafers, moccasins, slip on shoes, slip ons, slipons, clogs, mules
near: loafers, moccasins, boat shoes, deck shoes, espadrilles, plimsolls => mules, flats, derby
near: trainers, sneakers, sports shoes, gym shoes, plimsolls => shoes
near: sandals => flip flops, mules
near: slippers => mules
near: wellies, wellingtons, gumboots, rain boots, snow boots, winter boots => boots
hiking shoes, walking shoes, trekking shoes, mountain boots, walking boots, hiking boots, trekking boots, hikers
trail shoes, trail runners, trail running shoes => trail
chelsea boots, ankle boots, booties
jogging shoes, trainers, running shoes, training shoes
roller boots, roller blades, quad skates, roller skates, inline skates
ice skating boots, ice skates, figure skates, skating boots
light up shoes, light up trainers, flashing shoes, light up sneakers => led
high tops, hi tops, basketball shoes
# Bags, jewellery, watches
carry on, carry on bag, hand luggage, cabin bag, cabin luggage, cabin case, carry on luggage, carry on suitcase, cabin suitcase
suitcase, wheelie case, wheelie bag, trolley bag, rolling luggage, hard shell suitcase
near: duffel bag, duffle bag, holdall, gym bag, sports bag, weekend bag, overnight bag => daypack, backpack, suitcase
near: messenger bag, satchel, laptop bag, laptop case, computer bag, work bag, document bag => briefcase, daypack
book bag, school bag, satchel, school backpack
tote => shopper
tote bag, canvas bag, shopping bag, cloth bag, jute bag, reusable bag, grocery bag, bag for life => shopper, tote
cross body bag, crossbody bag, crossbody, shoulder bag, small handbag => shoulder strap, handbag
clutch, clutch bag, evening bag => purse, clutch
near: bum bag, fanny pack, waist bag => pouch, purse
toilet bag, sponge bag, washbag, toiletries bag, make up bag, makeup bag, cosmetic bag, make up pouch, vanity case => cosmetics pouch
wicker basket, shopping basket, straw bag, picnic basket => basket
card holder, money clip, change purse, coin pouch, wallet => purse
engagement ring, wedding ring, wedding band, diamond ring, eternity ring, signet ring, gemstone ring => ring
near: engagement ring, diamond ring => ring
near: bracelet, bangle, necklace, pendant, earrings, brooch, anklet => beads, ring
gem, gemstone, gems, precious stone, loose stone => sapphire, tsavorite, topaz, garnet
rosary, mala, mala beads, worry beads => prayer beads
tiara, diadem => crown
readers, reading glasses, reading spectacles
polarised glasses, polarized sunglasses, sun glasses => sunglasses
wrist watch, analogue watch, analog watch, dress watch, quartz watch, automatic watch => watch
near: smartwatch, smart watch, fitness tracker => watch
chronometer, chronograph, stop clock => stopwatch
# Beauty
face cream, night cream, facial cream, anti ageing cream, anti aging cream, moisturising cream, day cream, moisturizing cream, skin cream => creme de nuit
face cream => face
skin care, skincare, face care => creme de nuit, lotion, soap
moisturiser, moisturizer => creme de nuit
hand lotion, hand cream, hand moisturiser
body cream, body milk, body lotion, body butter, body moisturiser
near: sun cream, suncream, sunscreen, sunblock, sun lotion, body wash, shower gel => lotion, soap
bath soap, toilet soap, soap bar, body soap, face soap, hand wash, handwash => soap
near: shampoo, conditioner => soap, comb
lip gloss, lipgloss, lip balm => lipstick
near: mascara, eyeliner, foundation, blusher, nail varnish, nail polish => lipstick
wet shaver, double edge razor, shaving razor, shaving kit, shavers, razors => safety razor
near: beard trimmer, electric shaver, shaving cream, razor blades, shaving foam => razor
hair comb, afro pick, detangling comb, hair pick, hairbrush, hair brush => comb
bath sponge, natural sponge, shower sponge, loofa, luffa => sea sponge
tooth brushes, toothbrushes, manual toothbrush, dental brush => toothbrush
near: toothpaste, mouthwash, dental floss => toothbrush
makeup mirror, make up mirror, dressing table mirror, bathroom mirror, wall mirror, looking glass, hand mirror => mirror
rain shower, rainfall shower, hand shower, shower rose, shower => shower head
near: perfume, fragrance, eau de toilette, aftershave, cologne, scent => lotion, soap
travel bag, travelling bag, holiday bag, travel case => suitcase, cabin case
beach shoes, pool shoes, shower shoes, beach sandals, water shoes => flip flops
indian dress => sari
`
