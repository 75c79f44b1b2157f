/** A feeling that may be named to a partner, and the words that express it. */
export interface Feeling {
  /** Completes "I feel". */
  readonly name: string
  /** Completes "a feeling of". */
  readonly noun: string
  readonly words: string
  /** Whether the feeling comes from a need that is met. */
  readonly pleasant?: true
}

/**
 * The names are milder than some of their words and blame nobody: for "betrayed" the name is "hurt". The order breaks
 * ties between feelings that are mentioned equally often.
 */
export const FEELINGS: readonly Feeling[] = [
  {
    name: 'hurt',
    noun: 'hurt',
    words:
      'hurt, hurts, hurting, hurtful, wounded, stung, pain, painful, pained, in pain, betrayed, stabbed in the back, hurt my feelings, rejected, offended',
  },
  {
    name: 'lonely',
    noun: 'loneliness',
    words:
      'lonely, lonelier, loneliness, alone, isolated, isolation, abandoned, left out, excluded, unloved, unwanted, on my own with, neglected, deserted',
  },
  {
    name: 'sad',
    noun: 'sadness',
    words:
      'sad, sadder, sadness, saddens, saddened, unhappy, unhappiness, not happy, not been happy, feel down, feeling down, felt down, so down, miserable, misery, sorrow, tearful, cry, cried, crying, cries, in tears, depressed, depressing, depression, gloomy, feel low, feeling low, feel blue',
  },
  {
    name: 'heartbroken',
    noun: 'heartbreak',
    words:
      'heartbroken, heartbreaking, heart broken, broken heart, broke my heart, breaks my heart, devastated, devastating, crushed, shattered',
  },
  {
    name: 'angry',
    noun: 'anger',
    words:
      'angry, angrier, anger, angers, angered, furious, fury, rage, raging, mad at, so mad, mad, pissed, pissed off, livid, enraged, outraged, fuming, seething, boiling, hate, hateful, hatred',
  },
  {
    name: 'frustrated',
    noun: 'frustration',
    words:
      'frustrated, frustrating, frustration, frustrates, annoyed, annoying, annoys, irritated, irritating, irritates, irritable, fed up, sick of, sick and tired, exasperated, aggravated, resent, resentful, resentment, resenting, bitter, bitterness, had enough',
  },
  {
    name: 'disappointed',
    noun: 'disappointment',
    words: 'disappointed, disappointing, disappointment, disappoints, let down, disillusioned, disheartened',
  },
  {
    name: 'overwhelmed',
    noun: 'overwhelm',
    words:
      'overwhelmed, overwhelming, overwhelm, overwhelms, too much for me, in over my head, drowning, can not cope, swamped, overloaded, overburdened, falling apart',
  },
  {
    name: 'exhausted',
    noun: 'exhaustion',
    words:
      'exhausted, exhausting, exhaustion, tired, worn out, wears me out, burned out, burnt out, burnout, drained, draining, depleted, weary, fatigued, run down, sleepless',
  },
  {
    name: 'stressed',
    noun: 'stress',
    words:
      'stressed, stressful, stress, stresses, under pressure, pressured, pressure, strained, frazzled, hectic',
  },
  {
    name: 'anxious',
    noun: 'anxiety',
    words:
      'anxious, anxiety, anxiously, panic, panicky, panicked, panicking, nervous, uneasy, unease, dread, dreading, on edge, jumpy, jittery, walking on eggshells, on eggshells',
  },
  {
    name: 'worried',
    noun: 'worry',
    words: 'worried, worry, worries, worrying, concerned, apprehensive, troubled',
  },
  {
    name: 'afraid',
    noun: 'fear',
    words:
      'afraid, scared, scares, scaring, scary, fear, fearful, frightened, frightens, frightening, terrified, terrifies, terrifying, petrified, intimidated, unsafe, not safe, not feel safe, not felt safe',
  },
  {
    name: 'insecure',
    noun: 'insecurity',
    words:
      'insecure, insecurity, jealous, jealousy, envious, envy, self conscious, doubt myself, unsure of myself',
  },
  {
    name: 'ashamed',
    noun: 'shame',
    words: 'ashamed, shame, shamed, humiliated, humiliating, humiliation, mortified, belittled, degraded',
  },
  {
    name: 'embarrassed',
    noun: 'embarrassment',
    words: 'embarrassed, embarrassing, embarrassment, awkward, mocked',
  },
  {
    name: 'guilty',
    noun: 'guilt',
    words: 'guilty, guilt, guiltily, remorse, remorseful, regret, regrets, regretful, sorry for what i',
  },
  {
    name: 'unseen',
    noun: 'not being seen',
    words:
      'unseen, invisible, ignored, overlooked, unnoticed, unheard, not heard, not feel heard, not seen, not feel seen, unappreciated, not appreciated, not feel appreciated, undervalued, taken for granted, dismissed, disregarded, disrespected, unimportant, like i do not matter',
  },
  {
    name: 'misunderstood',
    noun: 'being misunderstood',
    words: 'misunderstood, not understood, not feel understood, misjudged, judged, wrongly accused',
  },
  {
    name: 'inadequate',
    noun: 'not being enough',
    words:
      'inadequate, inadequacy, worthless, useless, inferior, not good enough, never good enough, like a failure, failure, not enough for, feel stupid, felt stupid, feeling stupid',
  },
  {
    name: 'helpless',
    noun: 'helplessness',
    words: 'helpless, helplessness, powerless, powerlessness, defeated, at my wits end, at a loss',
  },
  {
    name: 'discouraged',
    noun: 'discouragement',
    words:
      'discouraged, discouraging, hopeless, hopelessness, despair, despairing, desperate, desperation, given up, giving up, losing hope, lost hope, pessimistic',
  },
  {
    name: 'stuck',
    noun: 'being stuck',
    words:
      'stuck, trapped, cornered, suffocated, suffocating, smothered, controlled, caged, confined, tied down',
  },
  {
    name: 'confused',
    noun: 'confusion',
    words: 'confused, confusing, confusion, puzzled, bewildered, perplexed, mixed up, not know what to think',
  },
  { name: 'torn', noun: 'being torn', words: 'torn, conflicted, ambivalent, undecided, of two minds' },
  { name: 'lost', noun: 'being lost', words: 'feel lost, feeling lost, felt lost, am lost, aimless, adrift' },
  {
    name: 'shaken',
    noun: 'shock',
    words:
      'shaken, shocked, shocking, shock, stunned, startled, rattled, upset by, blindsided, horrified, appalled',
  },
  {
    name: 'upset',
    noun: 'being upset',
    words: 'upset, upsets, upsetting, distressed, distressing, distraught, beside myself, disturbed',
  },
  {
    name: 'tense',
    noun: 'tension',
    words: 'tense, tension, wound up, uptight, restless, agitated, impatient',
  },
  {
    name: 'uncomfortable',
    noun: 'discomfort',
    words:
      'uncomfortable, discomfort, not comfortable, not feel comfortable, disgusted, disgust, grossed out, creeped out',
  },
  {
    name: 'vulnerable',
    noun: 'vulnerability',
    words:
      'vulnerable, vulnerability, fragile, exposed, feel raw, feeling raw, sensitive about, defenseless, defenceless',
  },
  {
    name: 'numb',
    noun: 'numbness',
    words: 'numb, numbness, feel nothing, empty, emptiness, hollow, indifferent, shut down inside',
  },
  {
    name: 'distant',
    noun: 'distance',
    words:
      'distant, disconnected, detached, estranged, drifting apart, drifted apart, growing apart, grown apart, far away from',
  },
  {
    name: 'defensive',
    noun: 'having to defend myself',
    words: 'defensive, attacked, under attack, criticised, criticized, accused',
  },
  { name: 'bored', noun: 'boredom', words: 'bored, boring, boredom, in a rut, uninspired, listless' },
  {
    name: 'unsure',
    noun: 'uncertainty',
    words: 'unsure, uncertain, uncertainty, not sure where we, doubtful, hesitant, sceptical, skeptical',
  },
  {
    name: 'full of longing',
    noun: 'longing',
    words:
      'longing, long for, yearn, yearning, crave, craving, miss you, miss him, miss her, miss us, miss being, homesick',
  },
  { name: 'in grief', noun: 'grief', words: 'grief, grieving, grieve, mourning, mourn, bereaved, bereft' },
  {
    name: 'hopeful',
    noun: 'hope',
    pleasant: true,
    words: 'hopeful, hopefulness, full of hope, optimistic, encouraged, looking forward',
  },
  {
    name: 'grateful',
    noun: 'gratitude',
    pleasant: true,
    words: 'grateful, gratitude, thankful, appreciative, touched by, moved by',
  },
  {
    name: 'happy',
    noun: 'happiness',
    pleasant: true,
    words: 'happy, happier, happiness, glad, joy, joyful, delighted, cheerful, excited, thrilled',
  },
  {
    name: 'loved',
    noun: 'love',
    pleasant: true,
    words: 'feel loved, felt loved, feeling loved, cherished, adored, cared for, in love',
  },
  {
    name: 'calm',
    noun: 'calm',
    pleasant: true,
    words: 'calm, calmer, peaceful, at peace, at ease, relaxed, contented',
  },
  { name: 'relieved', noun: 'relief', pleasant: true, words: 'relieved, relief, unburdened' },
  { name: 'proud', noun: 'pride', pleasant: true, words: 'proud, pride, accomplished, confident' },
  {
    name: 'curious',
    noun: 'curiosity',
    pleasant: true,
    words: 'curious, curiosity, interested in, fascinated',
  },
]
