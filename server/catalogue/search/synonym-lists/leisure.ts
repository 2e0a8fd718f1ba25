/** Toys, sports and crafts. */
export const LEISURE = `
# Toys and games
stuffed toy, cuddly bear, plush toy, plush bear, stuffed bear, teddies, cuddly animal => bear
jigsaws, jigsaw puzzle, 1000 piece puzzle, 1000 piece jigsaw, puzzle game => puzzle
toy train, train set, wooden train, toy locomotive, model train, toy engine => locomotive
toy car, die cast car, diecast car, matchbox car, hot wheels, toy cars, pull back car => estate car
near: lego, duplo, building bricks, building blocks, shape sorter, wooden toy, baby toy => stacking toy
toddler toy, baby toys, wooden blocks, stacker, stacking rings => stacking toy
squirt gun, super soaker, water gun, water pistol, nerf gun => water blaster
russian doll, stacking dolls, babushka, babushka dolls, matryoshka, matrioshka, russian nesting dolls => матрешка
chess set, chess board, chessmen, chess game, chess pieces
near: draughts, checkers, backgammon, board games, family game, party game, scrabble, monopoly => chess, mahjong, dice, playing cards
poker cards, card game, pack of cards, deck of cards, bridge cards, poker => playing cards
mah jongg, mah jong, mahjongg, majong
dart board, darts set, darts board, dart set => dartboard
ten pin bowling, tenpin bowling, bowling set, bowling game, bowling pins, tabletop bowling => skittles
yo yo, yoyo, jojo
counting beads, counting toy, maths toy, math toy, bead frame => counting frame
near: frisbee, flying disc, throwing toy => boomerang
stunt kite, kites, flying kite
animal mask, carnival mask, halloween mask, costume mask, fancy dress mask, rabbit ears => rabbit mask
near: puppet, marionette, hand puppet => rabbit mask
near: doll, barbie, action figure => dolls, bear
colouring crayons, coloring crayons, wax crayon, coloured crayons
# Sports and outdoors
2 man tent, two man tent, two person tent, 2 person tent, 2 berth tent, backpacking tent
family tent, 4 man tent, four man tent, 4 person tent, four person tent, large tent, 4 berth tent
near: sleeping bag, camping gear, tarp, camping mat, air bed, camping chair, camping stove => tent, torch, lantern
led torch, pocket torch, pocket lamp, hand torch, camping torch, camping light, head torch, headtorch, flash light => torch
orienteering compass, pocket compass, hiking compass => compass
fishing tackle, angling, fishing gear, fishing set, fishing rod, angling rod, spinning rod, fishing reel
climbing rope, abseiling rope, abseil rope, caving rope => static rope
snorkel set, snorkeling set, snorkelling set, snorkel mask, diving goggles, dive mask, scuba mask, swim mask => mask and snorkel
near: swimming goggles, goggles, flippers, fins => snorkel
soccer, footie, footy, soccer balls, football ball, match ball
us football, american football, nfl football, gridiron ball, pigskin
rugby, rugby football, rugby balls
netball, basket ball, hoops ball => basketball
volley ball, beach ball, volleyball
tennis bat, tennis racquet, tennis racket
near: squash racket, padel racket, golf club, hockey stick => racket, bat
badminton racket, badminton rackets, badminton racquet, shuttlecocks, shuttles, birdie => badminton set
ping pong bat, ping pong paddle, table tennis paddle, table tennis racket, table tennis bat, ping pong racket, pingpong
near: ping pong table, table tennis balls => table tennis bat
near: baseball bat, rounders bat => cricket bat
boxing mitts, punching gloves, mma gloves, boxing gloves => sparring gloves
near: punchbag, punch bag => sparring gloves
karate suit, karate uniform, judo suit, judo uniform, karate gi, martial arts uniform, martial arts suit, kimono judo, judogi, taekwondo uniform => judo gi
push bike, city bike, town bike, commuter bike, ladies bike, road bike, dutch bike, hybrid bike, cycle, pushbike => bicycle
near: mountain bike, ebike, e bike, electric bike => bicycle
kick scooter, push scooter, folding scooter, foldable scooter, kickscooter
near: electric scooter, hoverboard => scooter
skate board, longboard, cruiser board, skate deck => skateboard
snow sledge, snow sled, wooden sledge, sled, toboggan, bobsleigh, luge
ski set, skis and boots, skiing, ski boots, kids skis, junior skis => ski
near: snowboard => ski, skateboard
archery set, bow and arrow, bow and arrows, archery bow, archery, recurve bow, longbow => bow
near: dumbbells, weights, yoga mat, exercise bike, kettlebell, treadmill => stopwatch, skipping rope
# Craft, tools, paper
adjustable spanner, ring spanner, combination spanner, combination wrench, socket wrench, monkey wrench => spanner
claw hammer, ball hammer, carpenters hammer, mallet, nail hammer => hammer
hand saw, handsaw, wood saw, panel saw, carpenters saw => saw
phillips screwdriver, flat screwdriver, cross head screwdriver, screw drivers, screwdriver set => screwdriver
tool chest, tool case, metal toolbox, tool kit, toolkit => toolbox
tool, diy tool, hand tool => hammer, spanner, screwdriver, saw, toolbox, pliers, drill
near: allen key, hex key, torx => hex bolts, spanner
near: pliers, drill, cordless drill, chisel, file => screwdriver, hammer
c clamp, screw clamp, cramp, g cramp => g clamp
nuts and bolts, hex bolts, hexagon bolts, screws, fasteners, fixings
near: nails, screws, washers => bolts
step stool, steps, step ladders, small ladder, folding ladder => step ladder
fridge magnet, magnets, u magnet => magnet
hand axe, small axe, felling axe, wood axe, camping axe, hatchet, tomahawk, chopper
knitting yarn, crochet yarn, knitting wool, ball of wool, aran wool, worsted yarn, crochet wool => wool
near: knitting needles, crochet hook => wool, needle
sewing kit, mending kit, needles and thread, needle thread, sewing needle, sewing needles, sewing cotton, spool of thread, cotton reel => cotton thread
sewing scissors, fabric scissors, tailors scissors, dressmaking scissors, tailoring shears, fabric shears, kitchen scissors => shears
near: sewing machine, fabric, buttons, zip => thread, shears
water colours, water colors, watercolour, watercolor, watercolour paint, watercolor paint, watercolour set, watercolor set, poster paint, acrylic paint, paint set, paints, paint box => gouaches, gouache
near: oil paint, canvas board, easel => gouaches, brush
watercolour brush, watercolor brush, artists brush, artist paintbrush, paint brush, sable brush => brush
writing pen, ink pen, cartridge pen, calligraphy pen => fountain pen, dip pen
near: ballpoint pen, felt tip, marker, highlighter, gel pen => fountain pen, pencil
drawing pencils, sketching pencils, graphite pencils, hb pencil, pencils => pencil
bullet journal, dot grid notebook, note pad, writing pad, diary, writing book, jotter, dotted notebook => notebook
near: calendar, planner, organiser, diary => notebook
sketch book, drawing book, drawing paper, art pad => sketch ledger, sketch
bird book, birdwatching book, bird guide, bird watching, nature book, bird identification => birds
track, song, tune, record single => single, album
novels, fiction, story book, fiction book, boxed set books, paperback, hardback => novel
near: magazine, comic, cookbook, books, ebook => book, novel
art supplies, art materials, painting supplies, artist materials, craft materials => gouaches, brush, crayons, sketch
near: pool toy, water toy, bath toy => water blaster
near: pool, swimming pool => water blaster, mask and snorkel, swimsuit
`
