/** Electronics, sound and instruments. */
export const ELECTRONICS = `
# Electronics, audio, instruments
near: phone charger, mobile charger, wall charger, usb charger => power bank, charging cable
usb cable, usb c cable, charging lead, phone cable, charger lead, lightning cable, data cable, type c cable => charging cable
external battery, phone battery, battery charger, portable battery, battery pack => power bank
near: battery, batteries => power bank
bluetooth headphones, cordless headphones, noise cancelling headphones, noise canceling headphones => wireless headphones
headphones, head set, ear phones, earpieces
near: earbuds, airpods, ear buds, in ears => headphones
near: hi fi, stereo, soundbar, sound bar, boombox, home cinema => speaker, radio
bluetooth speaker, wireless speaker, portable speaker, smart speaker, bookshelf speaker => speaker
bluetooth => wireless
noise cancelling, noise canceling => noise reducing
dab radio, digital radio, internet radio, dab plus
transistor radio, fm radio, portable radio, battery radio
near: clock radio, radio alarm, radio alarm clock => radio with two alarms, alarm clock
podcast mic, podcast microphone, streaming microphone, studio microphone, usb microphone => desk microphone, condenser microphone
vocal microphone, dynamic microphone, singing microphone => stage microphone
mixing desk, audio mixer, dj mixer, sound desk, dj controller, mixing console => mixer
near: turntable, record player, vinyl player => mixer, speaker
blank cds, blank discs, cdr, cd r, recordable cds, cds => blank audio discs
vinyl, vinyl record, lp, music cd => album
near: cd, record, vinyl record, lp, cassette => album, blank audio discs
electric piano, digital piano, keyboard piano, piano keyboard, stage piano, e piano, electronic keyboard
near: synthesiser, synthesizer, organ => piano
near: acoustic guitar, bass guitar, ukulele, uke, mandolin => guitar, banjo
near: cello, double bass, string instrument => viola, violin
near: clarinet, flute, oboe, whistle, penny whistle, woodwind => recorder, saxophone
near: trombone, tuba, cornet, bugle, brass instrument => trumpet, horn
near: bongo, bongos, conga, congas, percussion, tambourine => djembe, drum, maracas
snare, snare drum, side drum => drum
practice pad, drum pad, practise drum, mute drum => practice drum
shakers, rattle, rumba shakers => maracas
squeeze box, concertina, melodeon, piano accordion => accordion
score, notes, piano music, music book, songbook, sheet music
polaroid camera, instax, instant print camera => instant camera
near: dslr, slr, digital camera, compact camera, mirrorless camera, photo camera => camera
movie camera, film camera, cinema camera, super 8 => cine camera
handycam, cam corder, video recorder, camcorder, video camera
near: webcam, action camera, gopro, dash cam => camcorder, camera
home cinema projector, movie projector, film projector
astronomical telescope, star telescope, refractor
near: binoculars, monocular, spotting scope => telescope
stargazing, star gazing, astronomy => telescope
near: kindle, e reader, ereader, ebook reader, ipad, android tablet => tablet
desktop computer, desktop pc, all in one pc, imac, all in one computer => all in one desktop
near: chromebook, ultrabook, netbook, pc, notebook => laptop
near: monitor, computer screen, display => desktop, television
cordless mouse, computer mouse, pc mouse, bluetooth mouse, wireless mouse
computer keyboard, pc keyboard, gaming keyboard, typing keyboard => mechanical keyboard, keyboard
ink jet, inkjet, ink jet printer, inkjet printer, photo printer, laser printer => printer
near: scanner, photocopier, copier => printer
game pad, games controller, gaming controller, arcade controller, fight stick, arcade joystick => arcade stick
flat screen, smart tv, tv set, portable tv => television
near: music, listen to music, mp3 player, ipod, walkman => radio, speaker, headphones
near: pc screen, pc monitor => desktop, television
`
