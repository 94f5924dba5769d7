//! A tokenizer of the crate tokenizers.
use crate::result::{Answer, Failure};
use tokenizers::Tokenizer;

pub struct TextTokenizer(Tokenizer);

impl TextTokenizer {
    pub fn new(json: &[u8]) -> Result<Self, Failure> {
        let mut tokenizer = Tokenizer::from_bytes(json).map_err(Failure::parse)?;
        // The caller knows the context's length; a file that truncates in silence would not.
        tokenizer.with_truncation(None).map_err(Failure::parse)?;
        tokenizer.with_padding(None);
        Ok(TextTokenizer(tokenizer))
    }

    pub fn encode(&self, text: &str, add_special_tokens: bool, offsets: bool) -> Result<Answer, Failure> {
        let encoding = if offsets {
            self.0.encode(text, add_special_tokens)
        } else {
            self.0.encode_fast(text, add_special_tokens)
        }
        .map_err(Failure::value)?;
        let pairs = offsets.then(|| encoding.get_offsets().iter().flat_map(|&(a, b)| [a as u64, b as u64]).collect());
        Ok(Answer { ids: encoding.get_ids().to_vec(), offsets: pairs, ..Answer::default() })
    }

    pub fn decode(&self, ids: &[u32], skip_special_tokens: bool) -> Result<Answer, Failure> {
        let text = self.0.decode(ids, skip_special_tokens).map_err(Failure::value)?;
        Ok(Answer { text, ..Answer::default() })
    }

    pub fn token_to_id(&self, token: &str) -> Answer {
        Answer { ids: self.0.token_to_id(token).into_iter().collect(), ..Answer::default() }
    }

    pub fn id_to_token(&self, id: u32) -> Answer {
        match self.0.id_to_token(id) {
            Some(text) => Answer { text, ids: vec![id], ..Answer::default() },
            None => Answer::default(),
        }
    }

    pub fn vocab_size(&self) -> usize {
        self.0.get_vocab_size(true)
    }

    pub fn special_tokens(&self) -> Answer {
        let added = self.0.get_added_tokens_decoder();
        let mut ids: Vec<u32> = added.iter().filter(|(_, token)| token.special).map(|(&id, _)| id).collect();
        ids.sort_unstable();
        Answer { ids, ..Answer::default() }
    }
}
