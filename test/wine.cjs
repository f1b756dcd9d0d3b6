/**
 * In front of Node for Windows under Wine 8 (`NODE_OPTIONS=--require …`): there `fetch` finds no server, because Wine
 * refuses the idle time of TCP keep-alive, which undici sets before a socket is connected. On Windows it is accepted.
 */
const { Socket } = require('node:net')

const { setKeepAlive } = Socket.prototype
Socket.prototype.setKeepAlive = function (...given) {
  return this.connecting ? this : setKeepAlive.apply(this, given)
}
