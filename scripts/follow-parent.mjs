// Ends this process when its parent dies, even by kill -9: that closes the channel between them.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
