import { connect } from 'node:net'

/** What comes back for bytes as they are; the connection is given up after a while. */
export function rawHttp(port: number, text: string, patience = 5_000): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.on('data', chunk => {
      answer += chunk
      socket.end()
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
    socket.setTimeout(patience, () => socket.destroy())
  })
}
