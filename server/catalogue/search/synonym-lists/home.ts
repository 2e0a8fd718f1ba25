/** Kitchen, home and garden, food and drink. */
export const HOME = `
# Kitchen and table
cook, cooking, chef, baker => kitchen
frying pan, saute pan, griddle pan, grill pan, cast iron pan, cast iron skillet, omelette pan
near: wok, griddle, pancake pan, crepe pan => skillet, pan
cooking pan, sauce pan, saucepan, soup pot, stock pot, pasta pot, casserole dish, dutch oven, stew pot, big pot, large pot
near: roasting tin, baking tray, baking dish, pressure cooker, slow cooker => stockpot, skillet
coffee mug, tea mug, coffee cup, tea cup, espresso cup, cappuccino cup, mug => cup and saucer, cup, tea bowl
drinking glass, water glass, tumblers, highball, beer glass, juice glass, whisky glass, whiskey glass => tumbler
drinking glass => balloon glass, tumbler
wine glasses, red wine glass, stemware, goblets, champagne glass, gin glass, wineglass => balloon glass
sundae glass, dessert glass, dessert bowl, ice cream bowl, ice cream glass, dessert dish, ice cream dish => dessert coupe
plates, dinner plate, dinnerware, crockery set, tableware set, place setting, dinner service => dinner set
near: plate, dish, platter => dinner set, bowl, saucer
near: fork, cutlery, silverware, flatware => dinner set, spoon
salad bowl, serving bowl, fruit bowl, baking bowl, pudding basin, batter bowl => mixing bowl, bowl
kitchen knives, carving knife, cleaver, santoku, butchers knife, chef knife, chefs knife, cooking knife => cooks knife
vegetable knife, fruit knife, peeling knife, peeler, small knife => paring knife
chopping board, cutting board, bread board, carving board
pepper mill, pepper pot, salt and pepper, salt pot, salt mill, salt grinder, salt pepper shakers, cruet => salt shaker
wooden spoon, table spoon, tablespoon, teaspoon, soup spoon, ladle, serving spoon => spoon
jam jar, kilner jar, storage jar, pickling jar, airtight jar, glass jars, food jars, mason jar => preserving jar
near: storage box, food container, tupperware, storage container => bento, jar
packed lunch box, sandwich box, lunch container, tiffin, lunch boxes => bento boxes
water jug, milk jug, carafe, decanter, wine jug, oil jug => jug
near: vase, amphora => jug
near: kettle, coffee pot, coffee maker, cafetiere, french press, coffee machine, infuser => teapot
waffle machine, waffle press, waffle maker
near: toaster, sandwich maker, toastie maker => waffle iron
cheese fondue, fondue set, fondue pot => fondue stand, fondue
sake cups, sake flask, tokkuri => sake set
egg timer, cooking timer, oven timer, minute timer, pomodoro timer => kitchen timer
near: flask, thermos, water bottle, drinks bottle => jug, tumbler
near: pizza => bread, tomatoes
# Home and garden
three piece suite, two seater, love seat, sofa bed, settee => sofa
near: bean bag, beanbag, recliner, rocking chair, armchair, easy chair, stool, bench => chair
bean bag, beanbag, bean bag chair
dining chair, kitchen chair, wooden chair, desk chair => chair
double bed, single bed, bed frame, bedstead, king size bed, queen bed, guest bed, wooden bed => bed
near: mattress, cot, bunk bed => bed
cushions, scatter cushion, sofa cushion, sofa pillow, throw cushion, decorative pillow
bed linen, duvet set, bed set, bed sheets, linen, pillowcase, bedlinen, bed sheet, sheet set, quilt cover => bed clothes
near: duvet, quilt, comforter, eiderdown, blanket, bedspread, bedding, pillow, sheet => bed clothes, bed
bedside table, nightstand, bed side table, night stand, bedside cabinet, bedside locker, night stand table
near: coffee table, side table, end table, dining table, kitchen table => table
garden table, patio table, outdoor table, picnic table
dresser, commode, chest of drawers, tallboy, bureau, sideboard
near: cupboard, cabinet, wardrobe, bookcase, shelf => drawers
near: desk lamp, table lamp, floor lamp, standing lamp, reading lamp => lamp, light, lantern
near: lampshade, lamp shade, light shade, ceiling light, pendant lamp, chandelier, pendant light => lantern, lamp
lamp shade, lampshade, light shade, paper lampshade => paper lantern
bedside light, night light, bedroom lamp => bedside light
wall art, wall picture, artwork, painting, wall print, art print, wall decor, picture frame, landscape painting => framed print
near: ornament, decoration, home decor, decor => framed print, lantern, candle, wind chime
waste bin, waste basket, rubbish basket, waste paper bin, office bin, paper bin, trash bin, trash basket => paper basket
wall clock, grandfather clock, chiming clock, shelf clock, fireplace clock, mantle clock => mantel clock
near: wall clock => clock
bedside clock, wake up clock, morning alarm => alarm clock
scented candle, church candle, wax candle, tea light, tea lights, fragrance candle, aroma candle => candle
near: incense, diffuser, air freshener, room spray => candle
sweeping brush, floor brush, sweeper, besom, besom broom => broom
near: mop, dustpan, vacuum cleaner, hoover => broom
cleaning bucket, mop bucket, metal bucket, coal bucket, coal scuttle => bucket
walking umbrella, rain umbrella, golf umbrella, big umbrella => umbrella
potted plant, indoor plant, indoor plants, houseplants, house plants, ficus, rubber tree, foliage plant => rubber plant, cactus
succulent, succulents, cacti => cactus
near: bonsai, fern, palm, orchid, yucca => rubber plant, cactus
flower bulbs, spring bulbs, tulip bulbs, bulbs => tulips
bunch of flowers, fresh flowers, cut flowers, flower delivery, flower bouquet => bouquet
rose bush, rambling rose, climbing roses, rose plant => climbing rose
pond plant, water plant, aquatic plant, waterlily => water lily
flower seeds, sunflower, sunflowers => sunflower seeds
herb garden, grow your own, herb seeds, basil, parsley, herb growing kit => herbs
plant pots, plant pot, planters, flower pot, seed pots => pot
near: spade, shovel, garden fork, rake, hoe, secateurs, gardening tools, garden tools => trowel
fence panel, fencing panel, garden fence, fence panels => fence, fencing
near: trellis, decking, deck boards, pergola => slats, fence
near: hose, sprinkler => watering can, shower head
# Food and drink
near: juice, fruit juice, orange juice, lemonade, smoothie => oranges, lemons, strawberries
coat rack, coat stand, hat stand, clothes rack, clothes rail
choc, choccy, chocs, chocolat, chocolate bar, bar of chocolate, plain chocolate => chocolate
cookies, biscuit, choc chip cookies, shortbread, chocolate biscuits
near: cake, cakes, crackers, muffin => biscuits, croissants
boiled sweets, hard candy, hard boiled sweets, sweeties, lolly, bonbons => fruit drops
near: gummy bears, toffee, fudge, chewing gum, liquorice, caramels => fruit drops, chocolate
ground coffee, coffee grounds, filter coffee, arabica, whole bean coffee, fresh coffee => espresso beans
black tea, english breakfast, breakfast tea, earl grey, tea bags, teabags, loose tea, loose leaf tea => assam tea
near: green tea, herbal tea, iced tea => tea
rye bread, brown bread, sourdough, sour dough, wholemeal bread, loaf of bread => loaf
french bread, french stick, baguettes, bread rolls, rolls => baguette
near: toast, bagel, buns, flour => bread, loaf
pain au chocolat, croissant, viennoiserie, french pastry => croissants
near: crisps, snacks, salty snack, popcorn, nibbles => pretzel, peanuts
nuts, mixed nuts, salted nuts => peanuts, chestnuts
mountain cheese, hard cheese, cheddar, gruyere, comte, parmesan => cheese
near: milk, butter, yogurt, cream cheese => cheese
blueberry jam, fruit spread, berry jam, jam, fruit preserve => compote
near: marmalade, peanut butter, spread, maple syrup, syrup => honey, compote
chili flakes, hot chili, dried chili, chillies, chilies, chili peppers, chilli peppers, peperoncino => chilli
near: spice, spices, pepper, paprika, curry powder => chilli
citrus, citrus fruit, navel oranges, mandarins, clementines, satsumas => oranges, lemons
cherry tomatoes, beef tomatoes, vine tomatoes, fresh tomatoes => tomatoes
near: apples, bananas, pears, grapes, fresh fruit, berries, raspberries => strawberries, oranges, mangoes
garlic bulb, garlic cloves, clove of garlic => garlic
near: onions, potatoes, carrots, salad => tomatoes, garlic
green olives, black olives, pitted olives => olives
near: olive oil, antipasti, pickles => olives
hot sauce, chilli sauce, chili sauce, tabasco => chilli
near: sauce, ketchup, mustard, mayonnaise, vinegar => chilli, olives
`
