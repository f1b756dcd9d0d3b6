/** The thread that replays a session beside the gateway that recorded it. */
import { replayInThisThread } from './replay-worker.ts'

await replayInThisThread()
