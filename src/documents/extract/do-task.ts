import { applyMark } from '../marks/apply-mark.js'
import { CannotMark } from '../marks/cannot-mark.js'
import { findNumbersIn } from '../marks/find-numbers.js'
import { inspectUpload } from '../uploads/inspect-upload.js'
import { UnreadableFile } from './extracted.js'
import { readAnyFormat } from './read-any-format.js'
import type { AnswerTo, ReaderTask } from './reader-protocol.js'
import { recognisePage } from './recognise.js'

/** Does a task in this process. Call it only in a process that may be killed: see `Extractor`. */
export async function doTask(asked: ReaderTask): Promise<AnswerTo<ReaderTask>> {
  const { bytes, name } = asked
  try {
    switch (asked.task) {
      case 'read':
        return await readAnyFormat(bytes, name, asked.limits, asked.recognised)
      case 'recognise':
        return await recognisePage(bytes, name, asked.page, asked.provider)
      case 'mark':
        return { bytes: await applyMark(bytes, name, asked.mark) }
      case 'find_marks':
        return { numbers: await findNumbersIn(bytes, name) }
      case 'inspect_upload':
        return await inspectUpload(bytes, name, asked.declaredType, asked.controls)
    }
  } catch (thrown) {
    // The parser's own message may quote the file, so it is not passed on.
    if (thrown instanceof UnreadableFile) return { problem: thrown.problem, message: thrown.message }
    if (thrown instanceof CannotMark) return { problem: 'unknown_type', message: thrown.message }
    return { problem: 'damaged', message: 'cannot be read' }
  }
}
