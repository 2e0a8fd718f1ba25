/** The usual synonyms of English shops, British and American. */
export const USUAL = `
optional: men, mens, man, male, women, womens, woman, womans, ladies, lady, female, girl, girls, boy, boys, kid, kids, child, children, childrens, baby, babies, toddler, teen, teens, adult, adults, unisex, him, her, his, hers, mum, mom, dad, mother, father, wife, husband, boyfriend, girlfriend, friend, beginner, beginners, professional, senior
optional: gift, gifts, present, presents, birthday, christmas, xmas, valentine, valentines, wedding, anniversary, easter, halloween, party, school, office, travel, holiday, summer, winter, everyday, daily
optional: cheap, cheapest, best, good, great, nice, new, newest, latest, buy, online, sale, discount, deal, deals, offer, shop, store, price, free, shipping, quality, premium, luxury, affordable, small, large, big, size, set, pack, fashion, style, popular, cool, gaming
colours: black, white, red, blue, green, yellow, pink, purple, violet, orange, brown, grey, gray, beige, cream, navy, teal, olive, gold, golden, silver, rose, coral, mint
minor: dark, light, bright, striped, plain, floral
minor: leather, cotton, wool, woollen, silk, linen, denim, wooden, wood, oak, steel, stainless, metal, brass, copper, iron, glass, plastic, rubber, ceramic, canvas, paper, bamboo
knives, knife
loaves, loaf
scarves, scarf
shelves, shelf
leaves, leaf
mice, mouse
geese, goose
teeth, tooth
kid, child, children, junior, childrens, youth
man, men, mens, gents, male
woman, women, womens, ladies, lady, female
baby, infant, newborn
beginner, learner, starter
sneakers, trainers, running shoes, gym shoes, tennis shoes, sports shoes, runners, high tops
sandals, flip flops, thongs, sliders, mules
heels, high heels, pumps, stilettos
slippers, house shoes
boots, wellies, wellingtons
hiking boots, walking boots, trekking boots
flats, ballerinas, ballet flats, ballet shoes
dress shoes, derby, oxfords, brogues, formal shoes
footwear => shoes, boots, sandals
rollerblades, roller skates, inline skates
sofa, couch, settee, loveseat, divan
armchair, easy chair
chair, seat, armchair, stool
torch, flashlight, headlamp
lantern, lamp
lamp, light, torch, lantern
bike, bicycle, cycle, pushbike
scooter, kick scooter
rucksack, backpack, daypack, knapsack, school bag, schoolbag, book bag
football, soccer, soccer ball
american football, gridiron
frying pan, fry pan, skillet, pan, frypan
pot, saucepan, stockpot, casserole, cooking pot
wrench, spanner
t shirt, tee, tshirt, tee shirt
jumper, sweater, pullover, jersey, sweatshirt
jumper, sweater => wool, knitwear
hoodie, hooded sweatshirt, hoody
trousers, pants, slacks
jeans, denim, denims
shorts, short pants, bermudas
underwear, pants, briefs, knickers, panties
waistcoat, vest
tuxedo, dinner jacket, tux, dinner suit
suit => tuxedo
coat, overcoat, parka, jacket
raincoat, mac, waterproof jacket, rain jacket
dressing gown, bathrobe, robe, kimono
swimsuit, bathing suit, swimming costume, swimwear, bikini, swim trunks
swimming trunks, board shorts, swim shorts, swim trunks
dress, gown, frock
blouse, top, shirt
cap, baseball cap
hat, cap, beanie
beanie, woolly hat, knit hat
scarf, shawl, muffler
gloves, mittens, mitts
boxing gloves, sparring gloves
handbag, purse, shoulder bag, tote, leather bag
purse, wallet, coin purse, billfold
bag => handbag, tote, shopper, backpack, pouch
shopping bag, shopper, tote bag, carrier bag
suitcase, luggage, travel case, trolley case, cabin case
luggage, baggage
briefcase, attache case
makeup bag, cosmetics pouch, cosmetic bag, toiletry bag, wash bag
jewellery, jewelry, jewels
necklace, pendant, chain
necklace => jewellery, beads
earrings, bracelet => jewellery
glasses, spectacles, eyeglasses, reading glasses
sunglasses, shades
watch, wristwatch, timepiece
stopwatch, stop watch
headphones, earphones, headset, earbuds, cans
earbuds, in ear headphones
speaker, loudspeaker
mic, microphone, mike
tv, television, telly, television set
laptop, notebook computer, portable computer, macbook
computer, pc, desktop, laptop
mobile, phone, smartphone, cell phone, cellphone
tablet, ipad
charger, charging cable, power adapter
power bank, powerbank, portable charger, battery pack
cable, cord, lead, wire
camcorder, video camera
polaroid, instant camera
beamer, projector
magnifying glass, magnifier, reading glass, loupe
binoculars, field glasses
joystick, game controller, gamepad, arcade stick
keyboard, keypad
printer, inkjet
mouse, trackball
disc, disk, cd
radio, wireless set
turntable, record player
near: keyboard => piano
near: piano => keyboard
sax, saxophone
fiddle, violin
squeezebox, accordion
french horn, horn
drums, drum, drum kit
sledge, sled, toboggan, sleigh
ping pong, table tennis
paddle, bat, racket, racquet
badminton set, shuttlecock, badminton
skis, ski
hoop, basketball
snorkelling, snorkel, diving mask
archery, bow
karate, judo, martial arts
gi, kimono
rod, fishing pole, fishing rod
tent, camping tent, bivouac
camping => tent, torch, axe
axe, hatchet, ax
weights => dumbbells
yarn, wool, knitting wool
thread, sewing thread
sewing kit, needle and thread
scissors, shears
screwdriver, driver
hammer, mallet
drill, power drill
clamp, vice, vise
tape measure, ruler, measuring tape
bolts, screws, nuts
toolbox, tool chest, tool case
ladder, stepladder, steps
pen, biro, ballpoint
fountain pen, ink pen
pencil, drawing pencil
notebook, journal, notepad, diary, exercise book
sketchbook, sketch pad, sketch ledger, drawing pad
crayons, colouring pencils, coloring pencils
paint, gouache, paints, watercolours, watercolors
paintbrush, paint brush, artist brush, brush
book, novel, paperback, guide
stationery => notebook, pen, pencil
teddy, teddy bear, bear, plushie, plush, stuffed animal, soft toy, cuddly toy
jigsaw, puzzle, jigsaw puzzle
train, locomotive, toy train, railway engine
toy car, model car, estate car
car, automobile
water gun, water pistol, water blaster, squirt gun
building blocks, stacking toy, bricks
nesting dolls, russian dolls, matryoshka => матрешка
doll, dolly
abacus, counting frame
board game, chess, mahjong
bowling, skittles, ninepins
darts, dartboard
cards, playing cards, deck of cards
dice, die
lollies, sweets, candy, candies, fruit drops, boiled sweets
biscuits, cookies, cookie
crisps, chips
chips, fries
bread, loaf, baguette
pastry, croissant
jam, jelly, compote, preserve, marmalade
chilli, chili, chile, chilli pepper, hot pepper
peanuts, groundnuts
aubergine, eggplant
courgette, zucchini
coriander, cilantro
fruit => oranges, lemons, strawberries, mangoes
vegetables => tomatoes, garlic
coffee, espresso, coffee beans
coffee beans, espresso beans
tea, chai, tea leaves
sugar, sweetener
honey, nectar
moisturiser, moisturizer, lotion, cream, body lotion, hand cream, face cream
cream, creme
cream => creme de nuit
night cream, creme de nuit
lipstick, lip colour, lip color
makeup, cosmetics, lipstick
soap, bar soap, hand soap
razor, shaver, shaving
toothbrush, tooth brush
sponge, loofah
shower head, showerhead
cup, mug, teacup
mug, coffee cup, beaker
glass, tumbler, drinking glass
wine glass, balloon glass, goblet
crockery, tableware, dishes, dinner set, dinnerware
cutlery, silverware, flatware, knives
kitchen knife, cooks knife, chefs knife, paring knife
chef knife, cooks knife
kitchenware, cookware => skillet, stockpot, saucepan, teapot, cup, mug, knife, bowl, kitchen
lunch box, lunchbox, bento box, bento
jar, preserving jar, mason jar, canning jar
jug, pitcher
teapot, tea kettle
kettle, water boiler
cooker, stove, hob
waffle maker, waffle iron
salt cellar, salt shaker
tap, faucet
bucket, pail
broom, brush
bin, wastebasket, waste paper basket, trash can, garbage can, dustbin, rubbish bin, paper basket
basket, hamper
cushion, pillow, throw pillow
mattress, bed
bedding, bed clothes, bedclothes, bed linen, bedsheets, bed sheets, duvet cover
sheets => bedsheets, bedding, bed clothes
duvet, comforter, quilt
blanket, throw
curtains, drapes
wardrobe, closet
drawers, chest of drawers, dresser
nightstand, bedside table, night table
bedside lamp, bedside light
table, desk
rug, carpet, mat
picture, print, poster, framed print
wall art, framed print, poster
clock, timepiece
timer, kitchen timer
umbrella, brolly, parasol
plant, houseplant, house plant, rubber plant, pot plant
houseplant => cactus
plant pot, planter, flower pot, flowerpot, pot
flowers, bouquet, bunch
flowers => tulips, rose, lily
tulips, bulbs
seeds, seedling
herbs, herb kit, seedling kit
watering can, water can
trowel, hand spade
spade, shovel
garden, outdoor, patio
garden => gardener, gardening
garden furniture, patio furniture => outdoor table, fence
furniture => sofa, chair, table, bed
fence, fencing
lawn mower, lawnmower, mower
candle, tealight
wind chime, chimes
fancy dress, costume
mask, face mask
nappy, diaper
pram, stroller, pushchair, buggy, baby carriage
cot, crib
dummy, pacifier
film, movie
music, album, single
colour, color
grey, gray
aluminium, aluminum
chequered, checkered, checked, plaid, tartan
pyjamas, pajamas, pjs, nightwear
axle, shaft
tyre, tire
plaster, band aid
cooler, cool box
left handed, left hand, left
right handed, right hand, right
red, crimson, scarlet, garnet, cherry, burgundy, vermilion
blue, navy, indigo, cobalt, ink blue, azure
green, olive, fern, moss, emerald, teal, mint
purple, violet, lilac, heather, plum
pink, rose, blush, coral
yellow, mustard, gold
brown, chestnut, tan, camel
black, night, ebony
white, ivory, ecru
`
