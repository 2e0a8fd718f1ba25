/** Words for goods that no other list has: they are spelt correctly, even if no product has them. */
export const KNOWN = `
known: abrasive, almond, amplifier, anchor, apricot, apron, armband, asparagus, avocado, awning, bacon, badge, bait, balsam, bandage, banner, bar, barbecue, barbell, barley
known: barometer, barrel, baton, beetroot, bell, bib, binder, blender, blinds, bolster, booster, bra, bracket, brandy, broccoli, bubble, buckle, bumper, burger, burner, cabbage
known: caddy, cage, calculator, canal, cannon, canoe, canopy, cape, caravan, cardboard, cart, cashew, castor, catapult, cauliflower, cedar, celery, cereal, chalk, charm, cheek
known: chick, chicken, choker, cinnamon, clasp, clay, cleat, clipper, clover, coaster, cocoa, coconut, cola, colander, collar, compost, concealer, concrete, cone, cordial, corn
known: corset, couscous, crab, cradle, crate, crutch, cucumber, cufflink, curler, currant, custard, cutter, cymbal, daisy, date, deodorant, dip, dipper, dishwasher, dispenser
known: dominoes, doormat, doughnut, dripper, drone, dryer, duck, duster, dye, egg, elastic, envelope, epoxy, eraser, extension, fan, feather, feeder, fertiliser, fertilizer, fig
known: filler, fish, flag, flame, flap, float, foil, folder, fondant, footstool, freezer, fringe, fryer, funnel, fuse, garland, gate, gel, gin, ginger, glitter, globe, glue, gnome
known: goat, grater, gravel, gravy, grip, grout, gum, ham, hammock, hamster, handle, hanger, harness, harp, hay, hazelnut, heater, hedge, helmet, hem, hinge, hole, holster, horse
known: hummus, ice, icing, ink, insole, inverter, jack, joint, jumpsuit, kale, kayak, kazoo, kennel, key, keyring, kiwi, knee, lamb, lance, lash, latch, lathe, leash, lens, lentil
known: lettuce, lever, lid, lifejacket, lighter, liner, lip, litter, lock, locket, log, loom, lozenge, manger, mango, map, margarine, meat, medal, medicine, melon, memory, mesh
known: metronome, microwave, mincer, modem, mortar, mosaic, mould, mount, mud, muesli, mushroom, mussel, napkin, net, noodle, nozzle, nutmeg, oar, oat, oil, ointment, oregano
known: oyster, pad, padlock, palette, papaya, parachute, parsnip, paste, patch, pea, pearl, pedal, peel, peg, pelmet, perch, pestle, petal, petrol, pie, pig, pill, pin, pineapple
known: pipe, pistachio, piston, plane, plectrum, plug, plunger, poppy, pork, porridge, potato, prawn, primer, prism, prune, pumpkin, purifier, putty, quiche, quill, quinoa, quiver
known: radiator, radish, rag, raisin, ramp, receiver, remote, rib, ribbon, rice, rifle, rim, ripple, risotto, roast, rocket, roulette, router, rum, rusk, saddle, safe, saffron
known: sage, sail, salami, salmon, salsa, sand, sander, sandpaper, sash, sauna, sausage, scale, scarecrow, scone, scoop, scraper, scrub, sculpture, sealant, serum, sheath, shed
known: sherry, shield, shin, shredder, shrimp, shutter, sieve, sink, siphon, siren, skewer, skirting, slat, slice, slide, slime, sling, smock, sock, soda, solder, sole, sorbet
known: spaghetti, spatula, spike, spinach, splint, spur, stain, staircase, stake, stamp, staple, stapler, steak, steamer, stencil, sticker, stilt, stitch, straightener, strainer
known: stud, swan, swing, switch, sword, syringe, tack, tail, tangerine, tapestry, tart, tassel, thermometer, thermostat, throne, thyme, ticket, tile, tin, tinsel, tofu, tongs
known: tonic, tortilla, toupee, towel, trailer, tram, trampoline, trap, tricycle, tripod, trophy, tub, tube, tuna, turban, turkey, turmeric, tutu, tweezers, twine, urn, vanilla
known: vaseline, veil, velcro, visor, vitamin, vodka, wallpaper, wax, wedge, wetsuit, wheel, wheelbarrow, wheelchair, whisk, wick, wig, window, wreath, xylophone, yeast, yoghurt
known: zipper
`
