// The options of jobs.
#include "train/jobs.h"

#include <memory>
#include <vector>

#include <CLI/CLI.hpp>

#include "tessera/distributed.h"
#include "train/adapter.h"
#include "train/diffusion.h"
#include "train/dqn.h"
#include "train/lstm.h"
#include "train/resnet.h"
#include "train/vae.h"

namespace tessera::app {

namespace {

struct AddedJob {
  CLI::App* command;
  std::function<int()> run;
};

template <class Options>
void add_common(CLI::App& job, Options& o) {
  job.add_option("--epochs", o.epochs, "Passes over the training set")->capture_default_str();
  job.add_option("--batch", o.batch, "Samples of a step")->capture_default_str();
  job.add_option("--lr", o.lr, "The highest rate")->capture_default_str();
  job.add_option("--seed", o.seed, "Of data, initial values, order and noise")->capture_default_str();
  job.add_option("--out", o.out, "A folder for checkpoints, logs and results; a run that is there continues");
}

/// Of several ranks the first one writes.
template <class Options, class Train>
AddedJob added(CLI::App* job, std::shared_ptr<Options> o, Train train) {
  return {job, [o = std::move(o), train] {
            if (distributed::rank() > 0) o->out.clear();
            return train(*o);
          }};
}

template <class Options>
void add_digits(CLI::App& job, Options& o) {
  job.add_option("--data", o.data, "A folder with four IDX files in MNIST's names; default: digits drawn by the job");
  job.add_option("--images", o.images, "Digits to draw for the training")->capture_default_str();
}

AddedJob add_lstm(CLI::App& train) {
  CLI::App* job = train.add_subcommand("lstm", "An LSTM reads brackets, and says which is to be closed next.");
  auto o = std::make_shared<LstmOptions>();
  job->add_option("--kinds", o->kinds, "Kinds of brackets, 1 to 4")->capture_default_str();
  job->add_option("--depth", o->depth, "Brackets that are open at a time, at most")->capture_default_str();
  job->add_option("--length", o->length, "Brackets of a sequence")->capture_default_str();
  job->add_option("--samples", o->samples, "Sequences of an epoch")->capture_default_str();
  job->add_option("--hidden", o->hidden, "Size of the state")->capture_default_str();
  add_common(*job, *o);
  return added(job, std::move(o), train_lstm);
}

AddedJob add_vae(CLI::App& train) {
  CLI::App* job = train.add_subcommand("vae", "A variational autoencoder of digits.");
  auto o = std::make_shared<VaeOptions>();
  add_digits(*job, *o);
  job->add_option("--latent", o->latent, "Size of the latent vectors")->capture_default_str();
  job->add_option("--hidden", o->hidden, "Size of the hidden layers")->capture_default_str();
  add_common(*job, *o);
  return added(job, std::move(o), train_vae);
}

AddedJob add_diffusion(CLI::App& train) {
  CLI::App* job = train.add_subcommand("diffusion", "A diffusion model draws the digits that one asks for.");
  auto o = std::make_shared<DiffusionOptions>();
  add_digits(*job, *o);
  job->add_option("--channels", o->channels, "Of the U-Net at the full resolution")->capture_default_str();
  job->add_option("--levels", o->levels, "Levels of noise, the steps of a sample")->capture_default_str();
  job->add_option("--drop-label", o->drop_label, "The part of the images that are shown without labels")
      ->capture_default_str();
  job->add_option("--guidance", o->guidance, "Of samples towards their labels; 0: none")->capture_default_str();
  job->add_option("--samples", o->samples, "Of each digit")->capture_default_str();
  add_common(*job, *o);
  return added(job, std::move(o), train_diffusion);
}

AddedJob add_resnet(CLI::App& train) {
  CLI::App* job = train.add_subcommand("resnet", "A residual network on color images: drawn shapes, or CIFAR-10.");
  auto o = std::make_shared<ResnetOptions>();
  job->add_option("--data", o->data,
                  "An npz file with train_images, train_labels, test_images and test_labels; default: drawn shapes");
  job->add_option("--images", o->images, "Shapes to draw for the training")->capture_default_str();
  job->add_option("--stages", o->stages, "1 to 4; each halves the sides of the one before it")->capture_default_str();
  job->add_option("--blocks", o->blocks, "Of each stage; the depth is 2 * stages * blocks + 2")->capture_default_str();
  job->add_option("--width", o->width, "Channels of the first stage; each other one has twice as many")
      ->capture_default_str();
  job->add_option("--padding", o->padding, "Of random crops; 0: none")->capture_default_str();
  job->add_option("--flip", o->flip, "The part of the images that are mirrored")->capture_default_str();
  job->add_option("--weight-decay", o->weight_decay, "Of SGD, for convolutions and matrices")->capture_default_str();
  job->add_option("--autocast", o->autocast, "f16 or bf16; default: f32");
  add_common(*job, *o);
  return added(job, std::move(o), train_resnet);
}

AddedJob add_dqn(CLI::App& train) {
  CLI::App* job = train.add_subcommand("dqn", "Deep Q-learning balances a pole on a cart.");
  auto o = std::make_shared<DqnOptions>();
  job->add_option("--steps", o->steps, "Of all carts, at most; the run ends when the task is solved")
      ->capture_default_str();
  job->add_option("--carts", o->carts, "Carts side by side")->capture_default_str();
  job->add_option("--updates", o->updates, "Of the network behind a step of all carts")->capture_default_str();
  job->add_option("--batch", o->batch, "Transitions of an update")->capture_default_str();
  job->add_option("--hidden", o->hidden, "Size of the hidden layers")->capture_default_str();
  job->add_option("--memory", o->memory, "Transitions of the replay buffer")->capture_default_str();
  job->add_option("--target-rate", o->target_rate, "How far an update moves the target network to the other one")
      ->capture_default_str();
  job->add_option("--evaluate-every", o->evaluate_every, "Steps between evaluations")->capture_default_str();
  job->add_option("--lr", o->lr, "Of Adam at the beginning; falls to 0")->capture_default_str();
  job->add_option("--discount", o->discount, "Of future rewards")->capture_default_str();
  job->add_option("--explore", o->explore, "The last part of random actions")->capture_default_str();
  job->add_option("--seed", o->seed, "Of initial values, carts and batches")->capture_default_str();
  job->add_option("--out", o->out, "A folder for model.safetensors");
  return added(job, std::move(o), train_dqn);
}

AddedJob add_lora(CLI::App& train) {
  CLI::App* job = train.add_subcommand("lora", "An adapter gives a frozen language model another task.");
  auto o = std::make_shared<AdapterOptions>();
  job->add_option("--digits", o->digits, "Digits to sort, 2 to 16")->capture_default_str();
  job->add_option("--samples", o->samples, "Lines of an epoch")->capture_default_str();
  job->add_option("--layers", o->layers, "Of the base")->capture_default_str();
  job->add_option("--heads", o->heads, "Of the base")->capture_default_str();
  job->add_option("--width", o->width, "Of the base")->capture_default_str();
  job->add_option("--rank", o->rank, "Of the adapter")->capture_default_str();
  job->add_option("--base-epochs", o->base_epochs, "Passes of the base over its training set")->capture_default_str();
  job->add_option("--base-lr", o->base_lr, "The highest rate for the base")->capture_default_str();
  add_common(*job, *o);
  return added(job, std::move(o), train_adapter);
}

}  // namespace

std::function<std::optional<int>()> add_jobs(CLI::App& train) {
  std::vector<AddedJob> jobs{add_lstm(train),      add_resnet(train), add_vae(train),
                             add_diffusion(train), add_dqn(train),    add_lora(train)};
  return [jobs = std::move(jobs)]() -> std::optional<int> {
    for (const AddedJob& job : jobs) {
      if (job.command->parsed()) return job.run();
    }
    return std::nullopt;
  };
}

}  // namespace tessera::app
