import { CannotMark } from '../marks/cannot-mark.js'
import { UnreadableFile } from './extracted.js'
import { readAnyFormat } from './read-any-format.js'
import type { AnswerTo, ReaderTask } from './reader-protocol.js'
import { recognisePage } from './recognise.js'

/**
 * Does a task in this process. Call it only in a process that may be killed: see `Extractor`. What only some tasks need
 * is loaded for them: most processes only read, and start sooner without it.
 */
export async function doTask(asked: ReaderTask): Promise<AnswerTo<ReaderTask>> {
  const { bytes, name } = asked
  try {
    switch (asked.task) {
      case 'read':
        return await readAnyFormat(bytes, name, asked.limits, asked.recognised)
      case 'recognise':
        return await recognisePage(bytes, name, asked.page, asked.provider)
      case 'mark': {
        const { applyMark } = await import('../marks/apply-mark.js')
        return { bytes: await applyMark(bytes, name, asked.mark) }
      }
      case 'find_marks': {
        const { findNumbersIn } = await import('../marks/find-numbers.js')
        return { numbers: await findNumbersIn(bytes, name) }
      }
      case 'inspect_upload': {
        const { inspectUpload } = await import('../uploads/inspect-upload.js')
        return await inspectUpload(bytes, name, asked.declaredType, asked.controls)
      }
    }
  } catch (thrown) {
    // The parser's own message may quote the file, so it is not passed on.
    if (thrown instanceof UnreadableFile) return { problem: thrown.problem, message: thrown.message }
    if (thrown instanceof CannotMark) return { problem: 'unknown_type', message: thrown.message }
    return { problem: 'damaged', message: 'cannot be read' }
  }
}
