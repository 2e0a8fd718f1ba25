// The channel closes when the parent dies, by kill -9 too: then this process is asked to end as well.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
