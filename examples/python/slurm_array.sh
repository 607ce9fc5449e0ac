#!/bin/sh
# sbatch slurm_array.sh: a Monte Carlo study of 1000 runs in 20 tasks. sbatch --array=3 slurm_array.sh: the third again. Afterwards: roberval merge study.* -o study.json
#SBATCH --array=1-20
#SBATCH --cpus-per-task=4
roberval montecarlo tx40 --runs 1000 --methods wls,iv --threads 4 --shard array/20 -o "study.$SLURM_ARRAY_TASK_ID" --resume
