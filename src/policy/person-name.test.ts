import { describe, expect, it } from 'vitest'
import { foldName, isUnknownSpeaker, nameInRecording, tidyName } from './person-name.js'

describe('names of people', () => {
  it('[PC-7] folds every spelling of a name to one key', () => {
    const spellings = ['Ben', 'ben', 'BEN', '  Ben ', 'Ｂｅｎ', 'B\u200ben', 'Ben\u00a0', '\u2067Ben\u2069']
    expect(new Set(spellings.map(foldName))).toEqual(new Set(['ben']))
    expect(foldName('Zoe\u0308  VAN\tDijk')).toBe(foldName('zoë van dijk'))
    expect(foldName('STRASSER')).toBe(foldName('Straßer'))
    expect(foldName('ΟΔΥΣΣΕΑΣ')).toBe(foldName('Οδυσσέας'.replace('έ', 'ε')))
    expect(foldName('O’Brien')).toBe(foldName("o'brien"))
    expect(foldName('Anne‑Marie')).toBe(foldName('anne-marie'))
    expect(foldName(foldName('ﬁona  Straße'))).toBe(foldName('ﬁona  Straße'))
  })

  it('[PC-7] keeps names apart that differ in more', () => {
    const names = ['Ben', 'Bén', 'Ben S', 'Benn', 'ben@example.org']
    expect(new Set(names.map(foldName)).size).toBe(names.length)
    expect(tidyName(' Zoë  van Dijk\u200b ')).toBe('Zoë van Dijk')
  })

  it('[PC-7] knows how transcripts call a speaker they do not know', () => {
    const unknown = ['Unknown speaker', 'SPEAKER_00', 'Speaker 2', 'speaker b', 'unknown', 'Guest 3']
    for (const name of [...unknown, 'Sprecher 1', 'Unbekannter Sprecher', 'Locuteur inconnu', 'Hablante 4'])
      expect(isUnknownSpeaker(name), name).toBe(true)
    for (const name of [
      'Ben',
      'Guest',
      'Nancy Speaker',
      'Mike',
      'Speaker Johnson',
      'Unknown Mortal Orchestra',
    ])
      expect(isUnknownSpeaker(name), name).toBe(false)
    expect(nameInRecording('Speaker 1', 'call-7')).toBe('Speaker 1 (call-7)')
    expect(nameInRecording('Ben', 'call-7')).toBe('Ben')
  })
})
