// The channel closes when the parent dies, even by kill -9: then this process ends too.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
